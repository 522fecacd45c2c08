package parcel

import "github.com/casys-ai/pml/nodes"

// Version is the version of the bytes. Whoever gets another one refuses them, and the calls are sent one by one.
const Version = 2

// The bytes of a part: JSON.
type (
	partJSON struct {
		Version int `json:"version"`
		// Values are what goes along, as the caller has written it; Inputs is how many there are.
		Values []byte `json:"values"`
		Inputs int    `json:"inputs"`
		// Key is what the key of each call begins with; its path follows. Calls is how many may be made, 0 for any number.
		Key   string `json:"key"`
		Calls int    `json:"calls,omitempty"`
		// Code is the code of all items: a program that returns the list of their functions.
		Code  string     `json:"code"`
		Items []itemJSON `json:"items"`
	}
	// itemJSON is a node. ID is that of its node where it comes from; paths are made of them.
	itemJSON struct {
		ID     int             `json:"id,omitempty"`
		Kind   nodes.Kind      `json:"kind"`
		Tool   nodes.ToolID    `json:"tool,omitempty"`
		Effect nodes.Effect    `json:"effect,omitempty"`
		Await  nodes.AwaitMode `json:"await,omitempty"`
		Async  bool            `json:"async,omitempty"`
		Gate   nodes.Gate      `json:"gate,omitempty"`
		In     []refJSON       `json:"in,omitempty"`
		Outs   int             `json:"outs"`
		After  []afterJSON     `json:"after,omitempty"`
		Func   *funcJSON       `json:"func,omitempty"`
		// Blocks are those of a control node. Each is that of a loop, Settled that of a map.
		Blocks  []blockJSON `json:"blocks,omitempty"`
		Each    bool        `json:"each,omitempty"`
		Settled bool        `json:"settled,omitempty"`
		// Exit and Target are those of an exit; Target is an ID.
		Exit   nodes.ExitMode `json:"exit,omitempty"`
		Target int            `json:"target,omitempty"`
	}
	blockJSON struct {
		Params  int        `json:"params"`
		Items   []itemJSON `json:"items"`
		Results []refJSON  `json:"results,omitempty"`
	}
	// refJSON names output Out of an item of the block so far outwards. Item -1 is a param of the block; of the part, a value.
	refJSON struct {
		Up   int `json:"up,omitempty"`
		Item int `json:"item"`
		Out  int `json:"out"`
	}
	afterJSON struct {
		Up   int        `json:"up,omitempty"`
		Item int        `json:"item"`
		Prev bool       `json:"prev,omitempty"`
		Port nodes.Port `json:"port"`
	}
	// funcJSON says what the function of an item is.
	funcJSON struct {
		Result  bool   `json:"result,omitempty"`
		Owned   []bool `json:"owned,omitempty"`
		Touched []bool `json:"touched,omitempty"`
	}
)
