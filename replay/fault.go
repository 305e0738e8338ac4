package replay

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/imurun/mcp-replay/mcp/jsonrpc"
)

// A Fault is something that goes wrong at replay although it did not in the recording: how a host takes it is what one
// wants to see. Written out it is
//
//	KIND[=VALUE][@TARGET]
//
// KIND and VALUE say what happens to an answer:
//
//	delay=2s        the answer comes later by that much
//	drop            the answer never comes
//	error=-32000:m  an error with this code and message comes instead (without a value: -32603 and "injected fault")
//	garbage         a line that is no JSON comes before the answer (over HTTP: the answer itself is no JSON)
//	truncate        the answer ends in its middle (on stdio: the line does), and the rest never comes
//	slow=64         the answer comes in small pieces, so many bytes a second (without a value: 1024)
//	disconnect      the connection ends instead of the answer
//	exit=3          the server ends instead of the answer, with this code (without a value: 1)
//
// TARGET says which answers:
//
//	METHOD          to requests of this method; none or * means all but initialize
//	METHOD:NAME     … for this tool, prompt or resource
//	…#3             only the third of them, in the order in which they come; #3+ means the third and all after it
//	…%10            one in ten of them by chance, the same ones at every run; %10/7 takes the chance from the seed 7
//
// So "error=-32000:busy@tools/call:deploy#2" fails the second call of deploy, and "delay=1s@tools/call%25" delays a quarter of all
// calls. Requests are counted over all sessions of a player.
type Fault struct {
	Kind    FaultKind
	Delay   time.Duration // FaultDelay
	Code    int           // FaultExit: the exit code; FaultError: the code of the error
	Message string        // FaultError
	Rate    int           // FaultSlow: bytes a second

	Method  string // "" means all but initialize
	Name    string // "" means all
	Nth     int    // from 1; 0 means all
	Onwards bool   // all from the Nth on
	Percent float64
	Seed    uint64
}

// FaultKind says what goes wrong.
type FaultKind string

// The kinds of fault.
const (
	FaultDelay      FaultKind = "delay"
	FaultDrop       FaultKind = "drop"
	FaultError      FaultKind = "error"
	FaultGarbage    FaultKind = "garbage"
	FaultTruncate   FaultKind = "truncate"
	FaultSlow       FaultKind = "slow"
	FaultDisconnect FaultKind = "disconnect"
	FaultExit       FaultKind = "exit"
)

// ParseFault reads a fault as [Fault] describes it.
func ParseFault(s string) (Fault, error) {
	f := Fault{}
	what, target, _ := strings.Cut(s, "@")
	kind, value, valued := strings.Cut(what, "=")
	f.Kind = FaultKind(kind)
	if !f.parseValue(value, valued) {
		return f, &UsageError{"fault", s, faultUsage[f.Kind]}
	}
	if !f.parseTarget(target) {
		return f, &UsageError{"fault", s, "a fault with a target like tools/call:echo#3 or tools/call%10/7"}
	}
	return f, nil
}

// faultUsage says how each kind is written; the empty kind stands for all that do not exist.
var faultUsage = map[FaultKind]string{
	"":              "one of delay, drop, error, garbage, truncate, slow, disconnect and exit",
	FaultDelay:      "a delay with a time, such as delay=2s",
	FaultError:      "an error with a code and a message, such as error=-32000:busy",
	FaultExit:       "an exit with a code from 0 to 255, such as exit=3",
	FaultSlow:       "slow with a number of bytes a second, such as slow=64",
	FaultDrop:       "drop without a value",
	FaultGarbage:    "garbage without a value",
	FaultTruncate:   "truncate without a value",
	FaultDisconnect: "disconnect without a value",
}

func (f *Fault) parseValue(value string, valued bool) bool {
	var err error
	switch f.Kind {
	case FaultDelay:
		f.Delay, err = time.ParseDuration(value)
		return err == nil && f.Delay >= 0
	case FaultError:
		code, message, _ := strings.Cut(value, ":")
		f.Code, f.Message = jsonrpc.CodeInternalError, message
		if message == "" {
			f.Message = "injected fault"
		}
		if valued {
			f.Code, err = strconv.Atoi(code)
		}
		return err == nil
	case FaultExit:
		f.Code = 1
		if valued {
			f.Code, err = strconv.Atoi(value)
		}
		return err == nil && 0 <= f.Code && f.Code <= 255
	case FaultSlow:
		f.Rate = 1024
		if valued {
			f.Rate, err = strconv.Atoi(value)
		}
		return err == nil && f.Rate > 0
	case FaultDrop, FaultGarbage, FaultTruncate, FaultDisconnect:
		return !valued
	}
	f.Kind = ""
	return false
}

func (f *Fault) parseTarget(target string) bool {
	if i := strings.LastIndexAny(target, "#%"); i >= 0 {
		var err error
		number := target[i+1:]
		if target[i] == '#' {
			number, f.Onwards = strings.CutSuffix(number, "+")
			f.Nth, err = strconv.Atoi(number)
			if err != nil || f.Nth < 1 {
				return false
			}
		} else {
			percent, seed, seeded := strings.Cut(number, "/")
			f.Percent, err = strconv.ParseFloat(percent, 64)
			if err != nil || !(0 < f.Percent && f.Percent <= 100) {
				return false
			}
			if seeded {
				if f.Seed, err = strconv.ParseUint(seed, 10, 64); err != nil {
					return false
				}
			}
		}
		target = target[:i]
	}
	f.Method, f.Name, _ = strings.Cut(target, ":")
	if f.Method == "*" {
		f.Method = ""
	}
	return true
}

// faultPlan decides which request each fault strikes. The mutex guards the counts and the chance.
type faultPlan struct {
	mu     sync.Mutex
	faults []plannedFault
}

type plannedFault struct {
	Fault
	seen   int
	chance *rand.Rand
}

func newFaultPlan(faults []Fault) *faultPlan {
	p := new(faultPlan)
	for _, f := range faults {
		p.faults = append(p.faults, plannedFault{Fault: f, chance: rand.New(rand.NewPCG(f.Seed, 0))})
	}
	return p
}

// choose gives a request the first fault that strikes it.
func (p *faultPlan) choose(req *liveRequest, m *jsonrpc.Message) {
	if len(p.faults) == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range p.faults {
		f := &p.faults[i]
		if f.strikes(m) && req.fault == nil {
			req.fault = &f.Fault
		}
	}
}

func (f *plannedFault) strikes(m *jsonrpc.Message) bool {
	if f.Method != m.Method && (f.Method != "" || m.Method == "initialize") {
		return false
	}
	if f.Name != "" && f.Name != targetName(m.Params) {
		return false
	}
	f.seen++
	if f.Nth > 0 && f.seen != f.Nth && !(f.Onwards && f.seen > f.Nth) {
		return false
	}
	return f.Percent == 0 || f.chance.Float64()*100 < f.Percent
}
