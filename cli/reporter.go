package cli

import (
	"context"
	"encoding/json"

	"github.com/casys-ai/pml/cli/runtime"
	"github.com/casys-ai/pml/cli/telemetry"
	"github.com/casys-ai/pml/transport"
)

// reporter tells others of runs that have ended: the gateway if there is a key for it, and a collector of OpenTelemetry if
// the environment names one. nil if nobody wants to know.
func (a *App) reporter(p *project, cloud *transport.Cloud) runtime.Reporter {
	var up, otel runtime.Reporter
	if cloud != nil && !p.NoTraces {
		up = telemetry.NewUploader(func(ctx context.Context, records []*telemetry.Record) error {
			body, err := json.Marshal(map[string]any{"traces": records})
			if err != nil {
				return err
			}
			return cloud.Tell(ctx, body)
		}, p.log)
	}
	if a.wantsOTel() {
		if protocol := a.getenv("OTEL_EXPORTER_OTLP_PROTOCOL"); protocol != "" && protocol != "http/protobuf" {
			p.log.Warn("OTEL_EXPORTER_OTLP_PROTOCOL: spans are sent as http/protobuf", "not", protocol)
		}
		otel = telemetry.NewCollector(version(), p.log)
	}
	return telemetry.Both(up, otel)
}

// wantsOTel reports whether the environment names a collector (OpenTelemetry, Environment Variable Specification).
func (a *App) wantsOTel() bool {
	named := a.getenv("OTEL_EXPORTER_OTLP_ENDPOINT") != "" || a.getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") != ""
	return named && a.getenv("OTEL_SDK_DISABLED") != "true" && a.getenv("OTEL_TRACES_EXPORTER") != "none"
}
