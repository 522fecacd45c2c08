// Package script runs the pieces of a program that were not lifted: JavaScript in goja, in a child process that has no
// rights, so that program text never runs in the main process.
//
// # The two sides
//
// The host side is Pool and Realm. A Pool keeps warm children; Acquire hands out one for one run, as a Realm: one
// JavaScript realm in one process, where fragments are executed one after another and closures, Maps and Dates live on
// in globals. The child side is Serve, which a hidden command of the binary calls.
//
// # The protocol
//
// Frames go both ways over the child's stdin and stdout: two big-endian uint32, the lengths of header and body; a
// header in JSON; a body.
//
//	→ init               {limits}                         answered by ready
//	→ clock              {}                               body: what the clock said when the fragment that follows was
//	                                                      executed before; see clock.go
//	→ execute            {id,code,params,program,tagged,rich,seed}
//	                                                      body: code bytes of JavaScript, then the array of arguments;
//	                                                      all randomness comes from seed
//	← console            {level}                          body: the text
//	← rpc_call           {id,server,tool}                 body: the arguments as JSON, empty for undefined; id counts
//	                                                      from 0 in each execution
//	→ rpc_result         {id,success,tagged}              body: the result, or the error that rejects the promise
//	← clock              {}                               body: what the clock has said since the last one; it comes
//	                                                      before a call that may depend on it
//	→ report             {}                               from now on say when there is nothing to do but wait
//	← resting            {id,told}                        for results: id calls were made, told results have come
//	← execution_complete {id,success,kind,message,where,line,column,tagged}
//	                                                      body: the result, or what was thrown
//
// A value is plain JSON if JSON can say it. Otherwise the frame is tagged, and in its JSON an object whose first key is
// "$" stands for something else:
//
//	{"$":"undefined"}  {"$":"NaN"}  {"$":"Infinity"}  {"$":"-Infinity"}
//	{"$":"error","name":…,"message":…,"cause":…,"props":…}
//	{"$":"object","v":{…}}          an object that itself begins with the key "$"
//	{"$":"Map","v":[key,value,key,…]}  {"$":"Set","v":[…]}  {"$":"Date","v":ms}
//	                                from the child only if execute said rich
//	{"$":"hole"}                    an element that the array does not have
//	{"$":"def","n":1,"v":…}  {"$":"ref","n":1}
//	                                an object that occurs in several places: in the first whole, in the others by
//	                                its number; to the child also inside of itself
//	{"$":"in","arg":0,"n":3}        only from the child: object 3, depth first, of argument 0, given back as it came
//
// So what is one object on one side is one on the other, within one execution; an argument or a part of it that the
// fragment hands back unchanged is for the host the very same value. Across executions identity lives in the realm's
// globals only. What a name stands for counts against the output limit as if it were written out.
//
// -0 is written "-0", lone surrogates "\ud800"; keys keep their order.
//
// # What differs from Node
//
// Mended: see rewrite.go and prelude. Known and not mended: last digits of Math.sin, exp and the like, and of x.y **= z;
// some Date.parse inputs; the texts of rare errors (what cannot be iterated over is called "object" where its place is
// not known) and the stack property; "Cannot read properties of undefined" is said of null, too; in localeCompare the
// order of currency signs younger than Unicode 6 and of a few rare symbols; names of time zones in Date's toString, but
// UTC; lone surrogates in property keys; a var that repeats its catch's parameter and instanceof with a Proxy on its
// right are errors; no tool or server may be called "then" or "toJSON".
//
// A stack overflow can be caught where overflow.go says; such functions have room for 10,000 calls. Elsewhere it ends
// the fragment with a RangeError that no try catches: in getters and default values of parameters that recurse without
// a call, and in a function whose fragment has no word like catch in its text. Recursion of generators ends the child.
//
// Other than in Node by design: an unhandled rejection is ignored; a promise that can never settle is an error; eval
// and new Function are off; locales other than en-US and options that are not there throw a RangeError that names
// them. A tool call throws at once, as JSON.stringify does, if its arguments are cyclic. errors.go has hints for what
// is not there at all.
package script
