package transport

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Confinement is what a server process and everything it starts may do to this machine, where the system can enforce it:
// see Confinable. What programs need to run at all is allowed beside it: to read the system's own folders, the
// installations of runtimes, and what the server is made of; to write caches of packages and the folder for temporary files.
type Confinement struct {
	// Read and Write are files and folders, absolute paths, that it may read, and read and write. What does not exist is
	// left out.
	Read, Write []string
	// Network lets it use the network.
	Network bool
}

// The system's own folders, and what is kept in a home folder of runtimes and caches.
var (
	systemFolders = []string{"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/etc", "/proc", "/sys",
		"/nix", "/snap", "/home/linuxbrew/.linuxbrew", "/run/systemd/resolve", "/run/current-system", "/var/lib/snapd"}
	homeFolders = []string{".nvm", ".fnm", ".volta", ".asdf", ".pyenv", ".rbenv", ".deno", ".bun", ".cargo/bin", ".rustup",
		"go/bin", ".local/bin", ".local/lib", ".local/share/fnm", ".local/share/mise", ".local/share/pipx",
		".npm-global", ".yarn", ".npmrc", ".gitconfig", ".config/git"}
	cacheFolders = []string{".npm", ".cache", ".local/share/uv", ".local/share/pnpm", ".bun/install/cache"}
)

// readable and writable list the paths that a server of a configuration has, started with an environment.
func (c *Confinement) readable(s ServerConfig, path string, env []string) []string {
	home := variable(env, "HOME")
	list := append(slices.Clone(systemFolders), c.Read...)
	list = append(list, below(home, homeFolders)...)
	for _, dir := range filepath.SplitList(variable(env, "PATH")) {
		if filepath.IsAbs(dir) && !wide(dir, home) {
			list = append(list, dir)
		}
	}
	list = append(list, installation(path, home)...)
	for _, arg := range s.Args {
		list = append(list, belongings(arg, s.Dir, home)...)
	}
	return list
}

func (c *Confinement) writable(env []string) []string {
	temp := variable(env, "TMPDIR")
	if temp == "" {
		temp = "/tmp"
	}
	list := append(slices.Clone(c.Write), temp)
	if cache := variable(env, "XDG_CACHE_HOME"); cache != "" {
		list = append(list, cache)
	}
	return append(list, below(variable(env, "HOME"), cacheFolders)...)
}

func below(home string, names []string) (list []string) {
	if home == "" {
		return nil
	}
	for _, name := range names {
		list = append(list, filepath.Join(home, name))
	}
	return list
}

// wide reports whether a folder holds more than one program: nothing is allowed for the sake of what is in there.
func wide(dir, home string) bool {
	dir = filepath.Clean(dir)
	return dir == "/" || dir == "." || home != "" && (dir == filepath.Clean(home) || dir == filepath.Join(home, ".local") ||
		strings.HasPrefix(filepath.Clean(home)+"/", dir+"/"))
}

// installation is where a program lies, wherever links lead, with what is installed beside it.
func installation(path, home string) (list []string) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil
	}
	for _, file := range []string{path, real} {
		dir := filepath.Dir(file)
		if filepath.Base(dir) == "bin" && !wide(filepath.Dir(dir), home) {
			dir = filepath.Dir(dir)
		}
		if wide(dir, home) {
			dir = file
		}
		list = append(list, dir)
	}
	return list
}

// packageFiles mark the folder of a package.
var packageFiles = []string{"package.json", "deno.json", "pyproject.toml", "setup.py", "go.mod", "Cargo.toml"}

// belongings is what a file that a server is started with is part of: its package, and the packages that it can use.
func belongings(arg, dir, home string) (list []string) {
	if !filepath.IsAbs(arg) {
		arg = filepath.Join(dir, arg)
	}
	real, err := filepath.EvalSymlinks(arg)
	if err != nil {
		return nil
	}
	if info, err := os.Stat(real); err != nil || !info.Mode().IsRegular() {
		return nil // what else it may read is said in its configuration
	}
	list = append(list, real)
	nearest := filepath.Dir(real)
	found := false
	for at := nearest; !wide(at, home); at = filepath.Dir(at) {
		if !found && slices.ContainsFunc(packageFiles, func(name string) bool { return exists(filepath.Join(at, name)) }) {
			nearest, found = at, true
		}
		if modules := filepath.Join(at, "node_modules"); exists(modules) {
			list = append(list, modules)
		}
	}
	if !wide(nearest, home) {
		list = append(list, nearest)
	}
	return list
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
