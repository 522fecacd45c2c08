package transport

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// inherited are the variables that a server gets from pml's own environment; LC_* too. Nothing else: keys stay here.
var inherited = []string{
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TERM", "TMPDIR", "TMP", "TEMP",
	"XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR",
	"SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA",
	"PROGRAMFILES", "PROGRAMFILES(X86)", "USERPROFILE", "USERNAME", "HOMEDRIVE", "HOMEPATH", "NUMBER_OF_PROCESSORS",
	"PROCESSOR_ARCHITECTURE",
}

// environment is the environment of a server: what is inherited of environ, and its own variables, which win.
func environment(environ []string, own map[string]string) []string {
	env := []string{}
	for _, kv := range environ {
		name, _, _ := strings.Cut(kv, "=")
		upper := name
		if runtime.GOOS == "windows" {
			upper = strings.ToUpper(name)
		}
		_, replaced := own[name]
		if !replaced && (slices.Contains(inherited, upper) || strings.HasPrefix(name, "LC_")) {
			env = append(env, kv)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(own)) {
		env = append(env, name+"="+own[name])
	}
	return env
}

// variable is the value of name in env.
func variable(env []string, name string) string {
	for _, kv := range slices.Backward(env) {
		k, v, _ := strings.Cut(kv, "=")
		if k == name || runtime.GOOS == "windows" && strings.EqualFold(k, name) {
			return v
		}
	}
	return ""
}

// lookPath finds command as exec.LookPath does, but in the PATH of env; a relative path is one from dir.
func lookPath(command, dir string, env []string) (string, error) {
	suffixes := []string{""}
	if runtime.GOOS == "windows" && filepath.Ext(command) == "" {
		suffixes = strings.Split(strings.ToLower(variable(env, "PATHEXT"))+";.com;.exe;.bat;.cmd", ";")
	}
	places := filepath.SplitList(variable(env, "PATH"))
	if strings.ContainsRune(command, '/') || strings.ContainsRune(command, filepath.Separator) {
		places = []string{dir}
		if filepath.IsAbs(command) {
			places = []string{""}
		}
	}
	for _, place := range places {
		for _, suffix := range suffixes {
			path := filepath.Join(place, command+suffix)
			if executable(path) {
				return filepath.Abs(path)
			}
		}
	}
	return "", exec.ErrNotFound
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir() && (runtime.GOOS == "windows" || info.Mode()&0o111 != 0)
}
