import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** An API for holders of an access token, which its properties say how to check. */
@EnableAutoConfiguration
@RestController
public class Api {
  public static void main(String[] arguments) {
    SpringApplication.run(Api.class, arguments);
  }

  @GetMapping("/")
  Map<String, Object> caller(Authentication caller) {
    var authorities = caller.getAuthorities().stream().map(GrantedAuthority::getAuthority);
    var scopes = authorities.filter(name -> name.startsWith("SCOPE_")).sorted().toList();
    return Map.of("name", caller.getName(), "scopes", scopes);
  }
}
