// The login page of a website in ASP.NET Core 8, as SIGN_IN_URL=https://www.example/oauth-sign-in.
// dotnet add package Microsoft.IdentityModel.JsonWebTokens

using System.Net;
using System.Text;
using Microsoft.IdentityModel.JsonWebTokens;
using Microsoft.IdentityModel.Tokens;

string Setting(string name) => Environment.GetEnvironmentVariable(name) ?? throw new InvalidOperationException($"{name} is not set");
var (latchkey, website, secret) = (Setting("LATCHKEY"), Setting("WEBSITE"), Setting("SIGN_IN_SECRET"));
var (http, jwts) = (new HttpClient(), new JsonWebTokenHandler());

var builder = WebApplication.CreateBuilder(args);
builder.Services.AddDistributedMemoryCache().AddSession(options => options.Cookie.SameSite = SameSiteMode.Lax);
var app = builder.Build();
app.UseSession();

// What Latchkey asks; null if it has not asked this website, or not within the last ten minutes.
async Task<JsonWebToken?> ReadRequest(string? request)
{
    var keys = new JsonWebKeySet(await http.GetStringAsync($"{latchkey}/jwks")).GetSigningKeys();
    var result = await jwts.ValidateTokenAsync(request ?? "", new TokenValidationParameters
    {
        ValidIssuer = latchkey, ValidAudience = website, ValidTypes = ["sign-in-request+jwt"],
        ValidAlgorithms = [SecurityAlgorithms.EcdsaSha256], IssuerSigningKeys = keys, ClockSkew = TimeSpan.FromSeconds(5),
    });
    return result.IsValid ? (JsonWebToken)result.SecurityToken : null;
}

long Now() => DateTimeOffset.UtcNow.ToUnixTimeSeconds();
T? Claim<T>(JsonWebToken asked, string name) => asked.TryGetPayloadValue(name, out T value) ? value : default;

// Whether the person has to sign in, although they may have done so before; also to do so as somebody else.
bool MustSignIn(ISession session, JsonWebToken asked)
{
    if (!long.TryParse(session.GetString("signed_in_at"), out var at)) return true;
    if (Claim<string>(asked, "prompt") is not null) return at < Claim<long>(asked, "iat");
    return asked.TryGetPayloadValue("max_age", out long age) && at < Now() - age;
}

// Sends the browser back with what Latchkey may know of the person.
IResult Answer(ISession session, JsonWebToken asked)
{
    var claims = new Dictionary<string, object>
    {
        ["sub"] = session.GetString("sub")!, ["nonce"] = Claim<string>(asked, "nonce")!, ["jti"] = Guid.NewGuid().ToString(),
        ["auth_time"] = long.Parse(session.GetString("signed_in_at")!),
        ["username"] = "ada", ["email"] = "ada@www.example", ["email_verified"] = true,
    };
    var response = jwts.CreateToken(new SecurityTokenDescriptor
    {
        Audience = latchkey, Claims = claims, IssuedAt = DateTime.UtcNow, Expires = DateTime.UtcNow.AddMinutes(2),
        SigningCredentials = new(new SymmetricSecurityKey(Encoding.UTF8.GetBytes(secret)), SecurityAlgorithms.HmacSha256),
    });
    return Results.Redirect($"{Claim<string>(asked, "return_to")}?response={response}");
}

IResult Refuse() => Results.BadRequest("This is no valid request of our sign-in server.");

app.MapGet("/oauth-sign-in", async (HttpContext context, string? request) =>
    await ReadRequest(request) is not { } asked ? Refuse()
    : MustSignIn(context.Session, asked) ? Form(asked, 200) : Answer(context.Session, asked));

// Here begins what your website has already: people, sessions and a form.
app.MapPost("/oauth-sign-in", async (HttpContext context, string? request) =>
{
    if (await ReadRequest(request) is not { } asked) return Refuse();
    var form = await context.Request.ReadFormAsync();
    if (form["username"] != "ada" || form["password"] != "correct horse battery") return Form(asked, 401);
    context.Session.Clear();
    context.Session.SetString("sub", "8f1c");
    context.Session.SetString("signed_in_at", Now().ToString());
    return Answer(context.Session, asked);
});

IResult Form(JsonWebToken asked, int status)
{
    var cancel = WebUtility.HtmlEncode($"{Claim<string>(asked, "return_to")}?nonce={Claim<string>(asked, "nonce")}&error=access_denied");
    return Results.Content($"""
        <form method="post"><input name="username"><input name="password" type="password">
        <button id="login">Sign in</button> <a href="{cancel}">Cancel</a></form>
        """, "text/html", Encoding.UTF8, status);
}

app.Run();
