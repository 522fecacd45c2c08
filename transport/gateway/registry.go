package gateway

import "net/http"

func (g *Gateway) getRecord(w http.ResponseWriter, _ *http.Request) {
	refuse(w, http.StatusNotFound, "NOT_FOUND", "no such record", "")
}
func (g *Gateway) putRecord(w http.ResponseWriter, _ *http.Request) {
	refuse(w, http.StatusNotFound, "NOT_FOUND", "no such record", "")
}
