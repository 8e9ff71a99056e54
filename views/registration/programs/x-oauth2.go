// go mod init client && go get golang.org/x/oauth2 && go run .
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/url"
<% if (!is_public) { -%>
	"os"
<% } -%>

	"golang.org/x/oauth2"
)

func main() {
	ctx := context.Background()
	config := &oauth2.Config{
		ClientID:     <%= client_id %>,
<% if (!is_public) { -%>
		ClientSecret: os.Getenv("CLIENT_SECRET"),
<% } -%>
		RedirectURL:  <%= redirect_uri %>,
		Scopes:       []string{<%= scope.split(' ') %>},
		Endpoint: oauth2.Endpoint{
			AuthURL:   <%= issuer + '/authorize' %>,
			TokenURL:  <%= issuer + '/token' %>,
			AuthStyle: oauth2.AuthStyleInParams,
		},
	}

	state, verifier := oauth2.GenerateVerifier(), oauth2.GenerateVerifier()
	fmt.Println("Open", config.AuthCodeURL(state, oauth2.S256ChallengeOption(verifier)))
	fmt.Println(<%= unreachable %>)
	fmt.Print("Address to which the browser was sent: ")
	var address string
	fmt.Scanln(&address)

	sent, err := url.Parse(address)
	if err != nil {
		log.Fatal(err)
	}
	answer := sent.Query()
	if answer.Get("state") != state || answer.Get("iss") != <%= issuer %> {
		log.Fatal("this is not the answer to the request")
	}
	if answer.Has("error") {
		log.Fatalf("The request was refused: %s (%s)", answer.Get("error"), answer.Get("error_description"))
	}
	token, err := config.Exchange(ctx, answer.Get("code"), oauth2.VerifierOption(verifier))
	if err != nil {
		log.Fatal(err)
	}
	user, err := config.Client(ctx, token).Get(<%= issuer + '/user' %>)
	if err != nil {
		log.Fatal(err)
	}
	// identify people by sub, never by address or name
	var person struct{ Sub string }
	body, _ := io.ReadAll(user.Body)
	if json.Unmarshal(body, &person) != nil || user.StatusCode != 200 || person.Sub == "" {
		log.Fatal("the server does not say who this is")
	}
	fmt.Println(string(body))
}
