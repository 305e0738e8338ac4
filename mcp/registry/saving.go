package registry

import (
	"slices"

	"github.com/imurun/mcp-replay/mcp/settings"
	"github.com/imurun/mcp-replay/policy"
)

// apply takes the settings over: it ends the sessions of servers that are gone or different, and says which servers
// are to be connected. The server named saved counts as different whatever it was before (LIFE-3). The caller holds mu.
func (r *Registry) apply(all *settings.Settings, saved string, reason map[string]string) (changed []*server) {
	r.problems = all.Problems
	wasOff := !r.network
	if r.level = all.Policy; r.o.Level != nil {
		r.level = *r.o.Level
	}
	if r.network = all.Network; r.o.Network != nil {
		r.network = *r.o.Network
	}
	before := r.servers
	r.servers = make([]*server, 0, len(all.Servers))
	kept := map[*server]bool{}
	for i := range all.Servers {
		set := all.Servers[i].Clone()
		at := slices.IndexFunc(before, func(s *server) bool { return !kept[s] && s.set.ID == set.ID })
		if at < 0 {
			s := newServer(set)
			r.servers = append(r.servers, s)
			changed = append(changed, s)
			continue
		}
		s := before[at]
		kept[s] = true
		r.servers = append(r.servers, s)
		if same := s.set.Equal(&set); same && set.ID != saved {
			continue
		}
		if reaches(&s.set) != reaches(&set) {
			r.forget(set.ID)
		}
		r.replace(s, set, reason[set.ID])
		changed = append(changed, s)
	}
	for _, s := range before {
		if !kept[s] {
			r.forget(s.set.ID)
			r.end(s, "the server was removed from the settings")
			r.retire(s)
		}
	}
	for _, s := range r.servers {
		switch {
		case r.offline(s):
			r.end(s, ErrNetworkOff.Error())
		case wasOff && s.set.Transport == settings.HTTP:
			changed = append(changed, s)
		}
	}
	r.offerAll()
	return changed
}

// replace gives a server new settings, and ends what it had under the old ones.
func (r *Registry) replace(s *server, set settings.Server, reason string) {
	if reason == "" {
		reason = "the settings were changed"
	}
	if !set.Enabled {
		reason = ErrDisabled.Error()
	}
	r.end(s, reason)
	s.set = set
	s.reset()
	if !set.Enabled || set.Err != nil { // LIFE-4
		r.retire(s)
	}
}

// forget drops what was remembered for a server that is another one now.
func (r *Registry) forget(id string) {
	for key := range r.remembered {
		if key.server == id {
			delete(r.remembered, key)
		}
	}
}

// Save adds or changes a server in the settings file, ends its connection, and makes a new one in the background where
// it is enabled (LIFE-3). The error is a [*settings.FieldError] where the server cannot be so.
func (r *Registry) Save(p settings.Patch) (Server, error) {
	if err := r.update(p.ID, "the server was saved", func(e *settings.Edit) error { return e.Put(p) }); err != nil {
		return Server{}, err
	}
	return r.Server(p.ID)
}

// Remove takes a server out of the settings file and ends its connection.
func (r *Registry) Remove(id string) error {
	return r.update(id, "the server was removed from the settings", func(e *settings.Edit) error { return e.Remove(id) })
}

// SetLevel changes the policy, in the file too.
func (r *Registry) SetLevel(level policy.Level) error {
	return r.update("", "", func(e *settings.Edit) error {
		e.SetPolicy(level)
		r.mu.Lock()
		defer r.mu.Unlock()
		r.o.Level = nil
		return nil
	})
}

// SetNetwork changes the network toggle, in the file too (PERM-8). Off ends the connections to servers on HTTP, on
// connects those that are enabled.
func (r *Registry) SetNetwork(on bool) error {
	return r.update("", "", func(e *settings.Edit) error {
		e.SetNetwork(on)
		r.mu.Lock()
		defer r.mu.Unlock()
		r.o.Network = nil
		return nil
	})
}

// Reload reads the settings file again, for changes that another program made.
func (r *Registry) Reload() error {
	r.saving.Lock()
	defer r.saving.Unlock()
	all, err := r.file.Load()
	if err != nil {
		return err
	}
	r.takeOver(all, "", "")
	return nil
}

// update changes the file and takes over what it says then.
func (r *Registry) update(id, reason string, change func(*settings.Edit) error) error {
	r.saving.Lock()
	defer r.saving.Unlock()
	r.mu.Lock()
	closed := r.closed
	r.mu.Unlock()
	if closed {
		return ErrClosed
	}
	all, err := r.file.Update(change)
	if err != nil {
		return err
	}
	r.takeOver(all, id, reason)
	return nil
}

func (r *Registry) takeOver(all *settings.Settings, id, reason string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return
	}
	changed := r.apply(all, id, map[string]string{id: reason})
	r.start(func(s *server) bool { return slices.Contains(changed, s) })
}
