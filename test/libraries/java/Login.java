import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.annotation.RegisteredOAuth2AuthorizedClient;
import org.springframework.security.oauth2.core.user.OAuth2User;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

/** Signs people in with the registration `latchkey` of its properties, and reads their profile again with their access token. */
@EnableAutoConfiguration
@RestController
public class Login {
  public static void main(String[] arguments) {
    SpringApplication.run(Login.class, arguments);
  }

  @GetMapping("/")
  Map<String, Object> signedIn(@AuthenticationPrincipal OAuth2User person) {
    return Map.of("name", person.getName(), "attributes", person.getAttributes());
  }

  @GetMapping("/profile")
  Map<String, Object> profile(@RegisteredOAuth2AuthorizedClient("latchkey") OAuth2AuthorizedClient client) {
    return RestClient.create().get()
        .uri(client.getClientRegistration().getProviderDetails().getUserInfoEndpoint().getUri())
        .headers(headers -> headers.setBearerAuth(client.getAccessToken().getTokenValue()))
        .retrieve()
        .body(new ParameterizedTypeReference<>() {});
  }
}
