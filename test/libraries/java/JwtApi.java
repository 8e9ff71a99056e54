import java.util.Map;
import java.util.Objects;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;
import org.springframework.security.oauth2.jwt.JwtClaimValidator;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtValidators;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** An API that verifies JWT access tokens by itself. */
@EnableAutoConfiguration
@RestController
public class JwtApi {
  public static void main(String[] arguments) {
    SpringApplication.run(JwtApi.class, arguments);
  }

  /** By default Spring Security refuses the type at+jwt, which RFC 9068 demands of a JWT access token. */
  @Bean
  JwtDecoder accessTokenDecoder(@Value("${issuer}") String issuer, @Value("${audience}") String audience) {
    var decoder = NimbusJwtDecoder.withIssuerLocation(issuer).validateType(false).build();
    decoder.setJwtValidator(JwtValidators.createAtJwtValidator().issuer(issuer).audience(audience)
        .validators(all -> all.put("client_id", new JwtClaimValidator<>("client_id", Objects::nonNull)))
        .build());
    return decoder;
  }

  @GetMapping("/")
  Map<String, Object> caller(Authentication caller) {
    var authorities = caller.getAuthorities().stream().map(GrantedAuthority::getAuthority);
    var scopes = authorities.filter(name -> name.startsWith("SCOPE_")).sorted().toList();
    return Map.of("name", caller.getName(), "scopes", scopes);
  }
}
