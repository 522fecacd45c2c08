// Package chart draws line and bar charts as SVG, readable on light and dark backgrounds.
package chart

import (
	"fmt"
	"html"
	"math"
	"strings"
)

// Series is one line of a chart, or one colour of its bars. Y[i] belongs to label i of the axis; NaN is no value.
type Series struct {
	Name string
	Y    []float64
}

// Chart is what is drawn.
type Chart struct {
	Title, Unit string
	// Labels are the places on the x axis.
	Labels []string
	Series []Series
	// Log makes the y axis logarithmic.
	Log bool
}

// The size of a picture and of its margins, in pixels.
const (
	width, height            = 760, 400
	left, right, top, bottom = 70, 150, 40, 40
)

// colours are told apart by most people, also those who do not see all colours (Okabe and Ito).
var colours = []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#999999", "#000000"}

// picture is a chart under way.
type picture struct {
	Chart
	strings.Builder
	low, high float64
}

// Lines draws a line a series.
func Lines(c Chart) string {
	p := start(c)
	step := float64(width-left-right) / float64(max(1, len(c.Labels)-1))
	for i, label := range c.Labels {
		p.text(left+step*float64(i), height-bottom+18, "middle", label)
	}
	for k, s := range c.Series {
		var path []string
		for i, y := range s.Y {
			if math.IsNaN(y) {
				continue
			}
			x, at := left+step*float64(i), p.y(y)
			path = append(path, fmt.Sprintf("%.1f,%.1f", x, at))
			p.printf(`<circle cx="%.1f" cy="%.1f" r="3" fill="%s"><title>%s, %s: %.4g %s</title></circle>`+"\n", x, at,
				colour(k), html.EscapeString(s.Name), html.EscapeString(c.Labels[i]), y, html.EscapeString(c.Unit))
		}
		p.printf(`<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/>`+"\n", strings.Join(path, " "), colour(k))
	}
	return p.end()
}

// Bars draws a group of bars a label.
func Bars(c Chart) string {
	p := start(c)
	group := float64(width-left-right) / float64(max(1, len(c.Labels)))
	bar := group * 0.8 / float64(max(1, len(c.Series)))
	for i, label := range c.Labels {
		x := left + group*float64(i)
		p.text(x+group/2, height-bottom+18, "middle", label)
		for k, s := range c.Series {
			if math.IsNaN(s.Y[i]) {
				continue
			}
			at := p.y(s.Y[i])
			p.printf(`<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"><title>%s, %s: %.4g %s</title></rect>`+"\n",
				x+group*0.1+bar*float64(k), at, bar*0.9, height-bottom-at, colour(k), html.EscapeString(s.Name),
				html.EscapeString(label), s.Y[i], html.EscapeString(c.Unit))
		}
	}
	return p.end()
}

// start draws the frame, the axis and the legend.
func start(c Chart) *picture {
	p := &picture{Chart: c}
	p.low, p.high = bounds(c)
	p.printf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`+"\n",
		width, height)
	p.printf(`<rect width="%d" height="%d" fill="#ffffff"/>`+"\n", width, height)
	p.printf(`<text x="%d" y="20" font-size="15" font-weight="bold">%s</text>`+"\n", left, html.EscapeString(c.Title))
	p.printf(`<text x="%d" y="35" fill="#555555">%s</text>`+"\n", left, html.EscapeString(c.Unit))
	for _, y := range ticks(p.low, p.high, c.Log) {
		p.printf(`<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" stroke="#dddddd"/>`+"\n", left, width-right, p.y(y), p.y(y))
		p.text(left-8, p.y(y)+4, "end", fmt.Sprintf("%.4g", y))
	}
	for k, s := range c.Series {
		y := top + 10 + 20*k
		p.printf(`<rect x="%d" y="%d" width="12" height="12" fill="%s"/>`+"\n", width-right+20, y, colour(k))
		p.text(width-right+38, float64(y)+10, "start", s.Name)
	}
	return p
}

func (p *picture) end() string {
	y := height - bottom
	p.printf(`<line x1="%d" x2="%d" y1="%d" y2="%d" stroke="#333333"/>`+"\n", left, width-right, y, y)
	p.printf("</svg>\n")
	return p.String()
}

func (p *picture) printf(format string, a ...any) { fmt.Fprintf(&p.Builder, format, a...) }

func (p *picture) text(x, y float64, anchor, s string) {
	p.printf(`<text x="%.1f" y="%.1f" text-anchor="%s">%s</text>`+"\n", x, y, anchor, html.EscapeString(s))
}

// y is the height of a value in the picture.
func (p *picture) y(v float64) float64 {
	low, high := p.low, p.high
	if p.Log {
		v, low, high = math.Log10(max(v, low)), math.Log10(low), math.Log10(high)
	}
	return height - bottom - (v-low)/(high-low)*(height-top-bottom)
}

func colour(k int) string { return colours[k%len(colours)] }
