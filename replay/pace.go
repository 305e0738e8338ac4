package replay

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// A Pace says how much of the recorded time passes at replay: 0 none, 1 all of it, 2 half of it (twice as fast).
type Pace float64

// The usual paces.
const (
	PaceNone     Pace = 0
	PaceRecorded Pace = 1
)

// ParsePace reads "none" (or ""), "recorded", or a factor such as "10x" or "0.5x".
func ParsePace(s string) (Pace, error) {
	switch s {
	case "", "none":
		return PaceNone, nil
	case "recorded":
		return PaceRecorded, nil
	}
	if factor, ok := strings.CutSuffix(s, "x"); ok {
		if f, err := strconv.ParseFloat(factor, 64); err == nil && f > 0 && !math.IsInf(f, 0) {
			return Pace(f), nil
		}
	}
	return 0, &UsageError{"pace", s, `one of none, recorded, and a factor such as 10x`}
}

// due says when the next cue of c may be performed; the zero time means at once.
func (s *playing) due(c *cursor) time.Time {
	pace := s.player.options.Pace
	answer := c.req != nil && s.part.cues[c.at].kind == cueAnswer
	late := answer && s.part.cues[c.at].flags&flagLate != 0 && !c.req.cancelled
	var extra time.Duration
	if answer && c.req.fault != nil && c.req.fault.Kind == FaultDelay {
		extra = c.req.fault.Delay
	}
	if pace == PaceNone && !late && extra == 0 {
		return time.Time{}
	}
	var recorded time.Duration
	if pace != PaceNone || late {
		// The recorded client gave this request up before its answer came; a host that does not has waited as long.
		recorded = s.recordedGap(c)
		if pace != PaceNone {
			recorded = time.Duration(float64(recorded) / float64(pace))
		}
	}
	return c.since.Add(recorded + extra)
}

func (s *playing) recordedGap(c *cursor) time.Duration {
	cassette := s.player.score.cassette
	var from time.Duration
	if c.from != none {
		from = cassette.Entry(int(s.part.cues[c.from].frame)).At
	}
	return max(0, cassette.Entry(int(s.part.cues[c.at].frame)).At-from)
}
