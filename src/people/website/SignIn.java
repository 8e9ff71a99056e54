import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import java.net.URI;
import java.time.Instant;
import java.util.Date;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.http.ResponseEntity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The login page of a website in Spring, as SIGN_IN_URL=https://www.example/oauth-sign-in; the JWTs by Nimbus, which Spring Security has. */
@EnableAutoConfiguration
@RestController
public class SignIn {
  static final String LATCHKEY = System.getenv("LATCHKEY");
  static final String WEBSITE = System.getenv("WEBSITE");
  static final String SECRET = System.getenv("SIGN_IN_SECRET");

  final DefaultJWTProcessor<SecurityContext> requests = new DefaultJWTProcessor<>();

  public static void main(String[] arguments) {
    SpringApplication.run(SignIn.class, arguments);
  }

  SignIn() throws Exception {
    JWKSource<SecurityContext> keys = JWKSourceBuilder.create(URI.create(LATCHKEY + "/jwks").toURL()).build();
    requests.setJWSTypeVerifier(new DefaultJOSEObjectTypeVerifier<>(new JOSEObjectType("sign-in-request+jwt")));
    requests.setJWSKeySelector(new JWSVerificationKeySelector<>(JWSAlgorithm.ES256, keys));
    var expected = new JWTClaimsSet.Builder().issuer(LATCHKEY).build();
    var verifier = new DefaultJWTClaimsVerifier<SecurityContext>(WEBSITE, expected, Set.of("exp", "iat", "nonce", "return_to"));
    verifier.setMaxClockSkew(5);
    requests.setJWTClaimsSetVerifier(verifier);
  }

  /** Whether the person has to sign in, although they may have done so before; also to do so as somebody else. */
  static boolean mustSignIn(HttpSession session, JWTClaimsSet asked) throws Exception {
    if (!(session.getAttribute("signed_in_at") instanceof Long at)) return true;
    if (asked.getStringClaim("prompt") != null) return at < asked.getIssueTime().getTime() / 1000;
    Integer age = asked.getIntegerClaim("max_age");
    return age != null && at < Instant.now().getEpochSecond() - age;
  }

  /** Sends the browser back with what Latchkey may know of the person. */
  static ResponseEntity<String> answer(HttpSession session, JWTClaimsSet asked) throws Exception {
    @SuppressWarnings("unchecked")
    var user = (Map<String, String>) session.getAttribute("user");
    Instant now = Instant.now();
    var claims = new JWTClaimsSet.Builder().subject(user.get("id")).audience(LATCHKEY)
        .issueTime(Date.from(now)).expirationTime(Date.from(now.plusSeconds(120))).jwtID(UUID.randomUUID().toString())
        .claim("nonce", asked.getStringClaim("nonce")).claim("auth_time", session.getAttribute("signed_in_at"))
        .claim("username", user.get("name")).claim("email", user.get("email")).claim("email_verified", true).build();
    var jwt = new SignedJWT(new JWSHeader.Builder(JWSAlgorithm.HS256).type(JOSEObjectType.JWT).build(), claims);
    jwt.sign(new MACSigner(SECRET));
    URI location = URI.create(asked.getStringClaim("return_to") + "?response=" + jwt.serialize());
    return ResponseEntity.status(302).location(location).build();
  }

  /** What Latchkey asks; null if it has not asked this website, or not within the last ten minutes. */
  JWTClaimsSet readRequest(String request) {
    try {
      return requests.process(request, null);
    } catch (Exception notOfLatchkey) {
      return null;
    }
  }

  @GetMapping("/oauth-sign-in")
  ResponseEntity<String> show(@RequestParam(name = "request", defaultValue = "") String request, HttpSession session, CsrfToken csrf) throws Exception {
    JWTClaimsSet asked = readRequest(request);
    if (asked == null) return ResponseEntity.badRequest().body("This is no valid request of our sign-in server.");
    return mustSignIn(session, asked) ? form(200, asked, csrf) : answer(session, asked);
  }

  // Here begins what your website has already: people, sessions and a form.
  static final Map<String, String> ADA =
      Map.of("id", "8f1c", "name", "ada", "password", "correct horse battery", "email", "ada@www.example");

  @PostMapping("/oauth-sign-in")
  ResponseEntity<String> signIn(@RequestParam(name = "request") String request, @RequestParam("username") String username,
      @RequestParam("password") String password, HttpServletRequest http, CsrfToken csrf) throws Exception {
    JWTClaimsSet asked = readRequest(request);
    if (asked == null) return ResponseEntity.badRequest().body("This is no valid request of our sign-in server.");
    if (!username.equals(ADA.get("name")) || !password.equals(ADA.get("password"))) return form(401, asked, csrf);
    HttpSession session = http.getSession();
    http.changeSessionId();
    session.setAttribute("user", ADA);
    session.setAttribute("signed_in_at", Instant.now().getEpochSecond());
    return answer(session, asked);
  }

  static ResponseEntity<String> form(int status, JWTClaimsSet asked, CsrfToken csrf) throws Exception {
    String cancel = asked.getStringClaim("return_to") + "?nonce=" + asked.getStringClaim("nonce") + "&amp;error=access_denied";
    return ResponseEntity.status(status).header("Content-Type", "text/html").body("""
        <form method="post"><input type="hidden" name="%s" value="%s"><input name="username"><input name="password" type="password">
        <button id="login">Sign in</button> <a href="%s">Cancel</a></form>""".formatted(csrf.getParameterName(), csrf.getToken(), cancel));
  }

  @Bean
  SecurityFilterChain everybody(HttpSecurity http) throws Exception {
    return http.authorizeHttpRequests(requests -> requests.anyRequest().permitAll()).build();
  }
}
