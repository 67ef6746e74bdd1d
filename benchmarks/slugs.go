// Convert Markdown documents (a JSON list on standard input) to HTML (a JSON list on standard output) with goldmark.
package main

import (
	"bytes"
	"encoding/json"
	"os"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"
)

func main() {
	var documents []string
	json.NewDecoder(os.Stdin).Decode(&documents)
	markdown := goldmark.New(
		goldmark.WithParserOptions(parser.WithAutoHeadingID(), parser.WithHeadingAttribute()),
		goldmark.WithRendererOptions(html.WithUnsafe()),
	)
	pages := make([]string, len(documents))
	for number, text := range documents {
		var page bytes.Buffer
		markdown.Convert([]byte(text), &page)
		pages[number] = page.String()
	}
	json.NewEncoder(os.Stdout).Encode(pages)
}
