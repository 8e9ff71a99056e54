<?php
// The login page of a website in PHP 8 without a framework, as SIGN_IN_URL=https://www.example/oauth-sign-in; it needs no library.

[$latchkey, $website, $secret] = array_map('getenv', ['LATCHKEY', 'WEBSITE', 'SIGN_IN_SECRET']);

function decode(string $text): string { return (string) base64_decode(strtr($text, '-_', '+/')); }
function encode(string $bytes): string { return rtrim(strtr(base64_encode($bytes), '+/', '-_'), '='); }

/** An ES256 signature by a key of the set [RFC 7518 §3.4], for OpenSSL: key and signature in ASN.1. */
function is_signed(string $signed, string $signature, array $jwk): bool {
    $point = "\x04" . decode($jwk['x']) . decode($jwk['y']);
    $der = hex2bin('3059301306072a8648ce3d020106082a8648ce3d030107034200') . $point;
    $pem = "-----BEGIN PUBLIC KEY-----\n" . chunk_split(base64_encode($der), 64) . "-----END PUBLIC KEY-----\n";
    $integers = '';
    foreach (str_split($signature, 32) as $number) {
        $number = ltrim($number, "\0");
        if ($number === '' || ord($number[0]) > 127) $number = "\0" . $number;
        $integers .= "\x02" . chr(strlen($number)) . $number;
    }
    return strlen($signature) === 64
        && openssl_verify($signed, "\x30" . chr(strlen($integers)) . $integers, $pem, OPENSSL_ALGO_SHA256) === 1;
}

/** What Latchkey asks; null if it has not asked this website, or not within the last ten minutes. */
function read_request(string $latchkey, string $website): ?array {
    $parts = explode('.', is_string($_GET['request'] ?? null) ? $_GET['request'] : '');
    if (count($parts) !== 3) return null;
    [$header, $asked] = [json_decode(decode($parts[0]), true), json_decode(decode($parts[1]), true)];
    if (!is_array($header) || !is_array($asked)) return null;
    if (($header['alg'] ?? '') !== 'ES256' || ($header['typ'] ?? '') !== 'sign-in-request+jwt') return null;
    $keys = json_decode(file_get_contents("$latchkey/jwks"), true)['keys'];
    $key = current(array_filter($keys, fn ($key) => $key['kid'] === ($header['kid'] ?? null)));
    if ($key === false || !is_signed("$parts[0].$parts[1]", decode($parts[2]), $key)) return null;
    return $asked['iss'] === $latchkey && $asked['aud'] === $website && $asked['exp'] > time() ? $asked : null;
}

/** Whether the person has to sign in, although they may have done so before; also to do so as somebody else. */
function must_sign_in(array $asked): bool {
    $wanted = isset($asked['prompt']) ? $asked['iat'] : time() - ($asked['max_age'] ?? time());
    return !isset($_SESSION['user']) || $_SESSION['signed_in_at'] < $wanted;
}

/** Sends the browser back with what Latchkey may know of the person. */
function answer(array $asked, string $latchkey, string $secret): never {
    ['id' => $id, 'name' => $name, 'email' => $email] = $_SESSION['user'];
    $claims = ['sub' => $id, 'nonce' => $asked['nonce'], 'aud' => $latchkey, 'iat' => time(), 'exp' => time() + 120,
        'jti' => bin2hex(random_bytes(16)), 'auth_time' => $_SESSION['signed_in_at'],
        'username' => $name, 'email' => $email, 'email_verified' => true];
    $signed = encode('{"alg":"HS256","typ":"JWT"}') . '.' . encode(json_encode($claims));
    $response = $signed . '.' . encode(hash_hmac('sha256', $signed, $secret, true));
    header('Location: ' . $asked['return_to'] . '?' . http_build_query(['response' => $response]));
    exit;
}

$asked = read_request($latchkey, $website);
if ($asked === null) {
    http_response_code(400);
    exit('This is no valid request of our sign-in server.');
}

// Here begins what your website has already: people, sessions and a form.
session_start(['cookie_httponly' => true, 'cookie_samesite' => 'Lax']);
$people = [['id' => '8f1c', 'name' => 'ada', 'password' => 'correct horse battery', 'email' => 'ada@www.example']];
if ($_SERVER['REQUEST_METHOD'] === 'POST') {
    $typed = [$_POST['username'] ?? '', $_POST['password'] ?? ''];
    $user = current(array_filter($people, fn ($one) => [$one['name'], $one['password']] === $typed));
    if ($user !== false) {
        session_regenerate_id(true);
        $_SESSION = ['user' => $user, 'signed_in_at' => time()];
        answer($asked, $latchkey, $secret);
    }
    http_response_code(401);
} elseif (!must_sign_in($asked)) {
    answer($asked, $latchkey, $secret);
}
$cancel = $asked['return_to'] . '?' . http_build_query(['nonce' => $asked['nonce'], 'error' => 'access_denied']);
?>
<form method="post"><input name="username"><input name="password" type="password">
<button id="login">Sign in</button> <a href="<?= htmlspecialchars($cancel) ?>">Cancel</a></form>
