// Package telemetry tells others what runs did: any OpenTelemetry collector, and the gateway. What it tells is cleaned of
// keys, tokens, mail addresses and phone numbers, and holds no arguments and no results.
package telemetry

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/casys-ai/pml/cli/runtime"
)

// Collector exports the spans of runs by OTLP over HTTP. Where to, and how, is in the environment (OTEL_EXPORTER_OTLP_*).
// It connects when the first run has ended.
type Collector struct {
	version string
	log     *slog.Logger

	once  sync.Once
	spans *sdk.TracerProvider // nil before the first run has ended, and if there is no way to connect
}

var _ runtime.Reporter = (*Collector)(nil)

// NewCollector makes a Collector. Close it.
func NewCollector(version string, log *slog.Logger) *Collector {
	return &Collector{version: version, log: log}
}

// begin connects to the collector.
func (c *Collector) begin() {
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { c.log.Warn("OpenTelemetry", "error", err) }))
	var err error
	if c.spans, err = c.provider(); err != nil {
		c.log.Warn("the spans of runs are not exported", "error", err)
	}
}

// mostSpans is how many spans may wait to be exported.
const mostSpans = 1 << 16

// provider makes what exports spans.
func (c *Collector) provider() (*sdk.TracerProvider, error) {
	ctx := context.Background()
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, err
	}
	// OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES win
	about, err := resource.New(ctx, resource.WithAttributes(attribute.String("service.name", "pml"),
		attribute.String("service.version", c.version)), resource.WithTelemetrySDK(), resource.WithFromEnv())
	if err != nil && !errors.Is(err, resource.ErrPartialResource) {
		return nil, err
	}
	return sdk.NewTracerProvider(sdk.WithBatcher(exporter, sdk.WithMaxQueueSize(mostSpans)), sdk.WithResource(about)), nil
}

// Ended implements runtime.Reporter.
func (c *Collector) Ended(o *runtime.Outcome) {
	c.once.Do(c.begin)
	if c.spans == nil {
		return
	}
	tracer := c.spans.Tracer("github.com/casys-ai/pml", trace.WithInstrumentationVersion(c.version))
	r := record(o)
	ctx, root := tracer.Start(context.Background(), "pml run", trace.WithTimestamp(r.Started), trace.WithAttributes(
		attribute.String("pml.run_id", r.RunID), attribute.String("pml.status", r.Status)))
	c.children(ctx, tracer, r)
	if r.Status != succeeded {
		root.SetStatus(codes.Error, string(r.Code))
	}
	root.End(trace.WithTimestamp(r.Started.Add(r.Duration)))
}

// children exports the tasks, each under the nearest one around it.
func (c *Collector) children(root context.Context, tracer trace.Tracer, r *Record) {
	under := map[string]context.Context{"": root}
	for _, s := range r.Spans {
		name := s.Tool
		if name == "" {
			name = s.Kind
		}
		ctx, span := tracer.Start(under[s.Parent], name, trace.WithTimestamp(r.Started.Add(s.Start)), trace.WithAttributes(
			attribute.String("pml.path", s.Path), attribute.String("pml.kind", s.Kind)))
		under[s.Path] = ctx
		if s.Tool != "" {
			span.SetAttributes(attribute.String("pml.tool", s.Tool), attribute.String("pml.route", s.Route))
		}
		if s.Code != "" {
			span.SetAttributes(attribute.String("error.type", string(s.Code)))
			span.SetStatus(codes.Error, s.Error)
		}
		span.End(trace.WithTimestamp(r.Started.Add(s.End)))
	}
}

// patience is how long the end of pml waits for what is still to be told.
const patience = 3 * time.Second

// Close implements runtime.Reporter: it exports what is left.
func (c *Collector) Close() {
	c.once.Do(func() {}) // there is nothing to begin with any more
	if c.spans == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := c.spans.Shutdown(ctx); err != nil {
		c.log.Warn("the spans of the last runs were not exported", "error", err)
	}
}
