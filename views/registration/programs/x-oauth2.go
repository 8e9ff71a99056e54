// go mod init client && go get golang.org/x/oauth2
// <% if (!is_public) { %>CLIENT_SECRET=lk_cs_… <% } %>go run .
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
		ClientID:    <% if (!is_public) { %> <% } %><%= client_id %>,
<% if (!is_public) { -%>
		ClientSecret: os.Getenv("CLIENT_SECRET"),
<% } -%>
		RedirectURL: <% if (!is_public) { %> <% } %><%= redirect_uri %>,
		Scopes:      <% if (!is_public) { %> <% } %>[]string{<%= scope.split(' ') %>},
		Endpoint: oauth2.Endpoint{
			AuthURL:   <%= issuer + '/authorize' %>,
			TokenURL:  <%= issuer + '/token' %>,
			AuthStyle: oauth2.AuthStyleInParams,
		},
	}

	state, verifier := oauth2.GenerateVerifier(), oauth2.GenerateVerifier()
	link := config.AuthCodeURL(state, oauth2.S256ChallengeOption(verifier))
	fmt.Println("Open", link)
	fmt.Println(<%= unreachable %>)
	fmt.Print("Address to which the browser was sent: ")
	var address string
	fmt.Scanln(&address)

	sent, err := url.Parse(address)
	if err != nil {
		log.Fatal(err)
	}
	answer := sent.Query()
	iss := answer.Get("iss")
	if answer.Get("state") != state || iss != <%= issuer %> {
		log.Fatal("this response does not belong to the request")
	}
	if answer.Has("error") {
		log.Fatalf("The request was refused: %s (%s)",
			answer.Get("error"), answer.Get("error_description"))
	}
	proof := oauth2.VerifierOption(verifier)
	token, err := config.Exchange(ctx, answer.Get("code"), proof)
	if err != nil {
		log.Fatal(err)
	}
	user, err := config.Client(ctx, token).Get(<%= issuer + '/user' %>)
	if err != nil {
		log.Fatal(err)
	}
	// identify people by sub, never by email address or name
	var person struct{ Sub string }
	body, _ := io.ReadAll(user.Body)
	isKnown := json.Unmarshal(body, &person) == nil && person.Sub != ""
	if !isKnown || user.StatusCode != 200 {
		log.Fatal("the server does not say who this is")
	}
	fmt.Println(string(body))
}
