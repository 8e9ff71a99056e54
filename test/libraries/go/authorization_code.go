// The authorization code flow of x/oauth2 as its documentation shows it, with a refresh.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/url"
	"os"
	"strings"
	"time"

	"golang.org/x/oauth2"
)

func main() {
	ctx := context.Background()
	conf := &oauth2.Config{
		ClientID:     os.Getenv("CLIENT_ID"),
		ClientSecret: os.Getenv("CLIENT_SECRET"),
		RedirectURL:  os.Getenv("REDIRECT_URI"),
		Scopes:       strings.Fields(os.Getenv("SCOPE")),
		Endpoint:     oauth2.Endpoint{AuthURL: os.Getenv("AUTH_URL"), TokenURL: os.Getenv("TOKEN_URL")},
	}

	verifier := oauth2.GenerateVerifier()
	fmt.Println("Visit the URL for the auth dialog:", conf.AuthCodeURL("state", oauth2.S256ChallengeOption(verifier)))

	var answer string
	if _, err := fmt.Scan(&answer); err != nil {
		log.Fatal(err)
	}
	callback, err := url.Parse(answer)
	if err != nil {
		log.Fatal(err)
	}
	token, err := conf.Exchange(ctx, callback.Query().Get("code"), oauth2.VerifierOption(verifier))
	if err != nil {
		log.Fatal(err)
	}

	// the client refreshes an expired token by itself
	token.Expiry = time.Now().Add(-time.Minute)
	response, err := conf.Client(ctx, token).Get(os.Getenv("USER_URL"))
	if err != nil {
		log.Fatal(err)
	}
	profile, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(profile))
}
