package replay

import "strings"

// A nameClass says what the redactor makes of a member by its name.
type nameClass uint8

const (
	nameOther  nameClass = iota
	nameSecret           // its string and number values are secrets
	nameToken            // its value is one where it looks like one: "token" is also a word of text generators
	nameSchema           // below it a JSON Schema describes names instead of holding values
	nameMap              // its own members are named by a user, as those of an environment or a header are
)

// nameClasses is the exact list of names (REP-4), in small letters and without separators: apiKey, api_key and API-KEY are
// one. progressToken, cursor, nextCursor, page_token and maxTokens are not on it, and a longer name that only
// holds one of these is not either. Whoever changes the list raises [BuiltInRules].
var nameClasses = classesOf(map[nameClass]string{
	nameSecret: `
		password passwd passphrase pwd pass newpassword oldpassword currentpassword userpassword dbpassword
		passwordconfirmation confirmpassword adminpassword rootpassword smtppassword
		secret clientsecret appsecret apisecret consumersecret sharedsecret signingsecret webhooksecret
		secretkey secretaccesskey awssecretaccesskey secrettoken totpsecret mfasecret
		apikey apikeys xapikey apitoken xapitoken apptoken bottoken accesskey accountkey subscriptionkey
		accesstoken refreshtoken idtoken authtoken xauthtoken bearertoken sessiontoken securitytoken awssessiontoken
		privatetoken personalaccesstoken usertoken oauthtoken oauth2token csrftoken xsrftoken xcsrftoken jwt jwttoken
		privatekey sshkey sshprivatekey encryptionkey signingkey masterkey servicerolekey
		authorization proxyauthorization cookie setcookie sessioncookie mcpsessionid
		credential credentials clientassertion codeverifier devicecode authcode connectionstring
		githubtoken gitlabtoken slacktoken npmtoken hftoken openaiapikey anthropicapikey googleapikey`,
	nameToken:  `token`,
	nameSchema: `inputschema outputschema requestedschema jsonschema schema defs`,
	nameMap:    `env environment headers`,
})

func classesOf(lists map[nameClass]string) map[string]nameClass {
	classes := make(map[string]nameClass)
	for class, list := range lists {
		for name := range strings.FieldsSeq(list) {
			classes[name] = class
		}
	}
	return classes
}

// nameLengths says for each first letter, by bit, how long the names of nameClasses are that begin with it: most names
// need no more than that to be told apart.
var nameLengths = func() (lengths [256]uint32) {
	for name := range nameClasses {
		lengths[name[0]] |= 1 << len(name)
	}
	return lengths
}()

// classOf looks a name up.
func classOf(name []byte) nameClass {
	var squashed [24]byte
	n := 0
	for _, c := range name {
		switch {
		case c == '_' || c == '-' || c == '$' || c == ' ' || c == '.':
			continue
		case n == len(squashed):
			return nameOther
		case 'A' <= c && c <= 'Z':
			c |= 0x20
		}
		squashed[n] = c
		n++
	}
	if nameLengths[squashed[0]]&(1<<n) == 0 {
		return nameOther
	}
	return nameClasses[string(squashed[:n])]
}

// isPlainName tells the members that both sides need as they are to find their requests again.
func isPlainName(name []byte) bool {
	return string(name) == "id" || string(name) == "requestId" || string(name) == "progressToken"
}

// kindOf brings a name into the form that a placeholder can hold.
func kindOf(name string) string {
	kind := strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9', r == '-':
			return r
		case 'A' <= r && r <= 'Z':
			return r | 0x20
		case r == '_', r == '.', r == ' ':
			return '-'
		}
		return -1
	}, name)
	if kind = strings.Trim(kind[:min(len(kind), 40)], "-"); kind == "" {
		return "secret"
	}
	return kind
}
