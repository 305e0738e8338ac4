package api

// onlyOurs leaves it to the folder, which is in the user's profile.
func onlyOurs(string) error { return nil }
