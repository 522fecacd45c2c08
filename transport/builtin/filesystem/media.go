package filesystem

import (
	"context"
	"encoding/base64"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/casys-ai/pml/transport/builtin/internal/root"
	"github.com/casys-ai/pml/transport/builtin/internal/tool"
)

// mediaTypes are the endings that count as image or audio; everything else is a resource of bytes.
var mediaTypes = map[string]string{
	".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp",
	".bmp": "image/bmp", ".svg": "image/svg+xml",
	".mp3": "audio/mpeg", ".wav": "audio/wav", ".ogg": "audio/ogg", ".flac": "audio/flac",
}

func (f *files) readMedia(ctx context.Context, args tool.Args) (*tool.Result, error) {
	place, err := f.roots.Resolve(args.String("path"), root.Read)
	if err != nil {
		return nil, err
	}
	file, size, err := open(place)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := readAll(file, size, place)
	if err != nil {
		return nil, err
	}
	block := mediaBlock(place.Abs, base64.StdEncoding.EncodeToString(data))
	return &tool.Result{
		Content:           []mcp.Content{block},
		StructuredContent: map[string]any{"content": []any{block}},
	}, nil
}

func mediaBlock(path, data string) mcp.Content {
	kind := mediaTypes[strings.ToLower(filepath.Ext(path))]
	switch {
	case strings.HasPrefix(kind, "image/"):
		return mcp.NewImageContent(data, kind)
	case strings.HasPrefix(kind, "audio/"):
		return mcp.NewAudioContent(data, kind)
	}
	return mcp.NewEmbeddedResource(mcp.BlobResourceContents{
		URI: fileURL(path), MIMEType: "application/octet-stream", Blob: data,
	})
}

// fileURL is the file: URL of an absolute path; on Windows the drive follows a third slash.
func fileURL(path string) string {
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed
	}
	return (&url.URL{Scheme: "file", Path: slashed}).String()
}
