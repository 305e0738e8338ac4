// Package registry keeps the sessions with all the servers of a settings file, and offers their tools to a host.
//
// A registry is made over a file and started; the enabled servers then connect in the background, and the host is up
// at once:
//
//	r, err := registry.New(settings.In(home), &registry.Options{
//		Home: home,
//		Ask: func(ctx context.Context, a registry.Approval) registry.Answer { return askThePerson(ctx, a) },
//	})
//	if err != nil {
//		return err
//	}
//	defer r.Close()
//	r.Start()
//
// [Registry.Tools] gives the tools as the host sees them, each with the decision that a call of it would meet and the
// rule that made it. [Registry.Call] calls one by its name. It never returns an error: whatever happens, the host gets a
// [Result], failed or not, with the reason in its text.
//
// Where the decision is to ask, Options.Ask is called, and the call waits for its answer; its context is that of the
// call. An answer may be remembered ([AllowAndRemember]) for this one tool of this one server, until the registry is
// closed or the tool's definition changes.
//
// [Registry.Servers] gives each server's settings, masked, with its [State] and the reason for it. A connection that
// breaks off is made again by the next call and by nothing else; a call whose request may have reached the server is
// never sent twice. [Registry.Connect] and [Registry.Disconnect] do what they say; [Registry.Save] and
// [Registry.Remove] change the file, end the server's connection and, where it is enabled, make a new one.
//
// [Registry.Events] is what happens, in order, each with a sequence number from which a listener can resume. Who
// embeds a registry may add to it with [Registry.Publish].
//
// No error, state, event or log line of a registry, and no failed result, holds a value that its settings keep
// secret. What a server answers otherwise is passed on as it came.
package registry
