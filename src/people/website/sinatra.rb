# The login page of a website in Sinatra, as SIGN_IN_URL=https://www.example/oauth-sign-in. In Rails the two routes are the actions of
# a controller, and the three methods its private ones. gem install sinatra jwt webrick

require 'json'
require 'jwt'
require 'net/http'
require 'securerandom'
require 'sinatra'

LATCHKEY, WEBSITE, SIGN_IN_SECRET = ENV.values_at('LATCHKEY', 'WEBSITE', 'SIGN_IN_SECRET')
set :port, ENV['PORT']
enable :sessions
set :session_secret, ENV['SESSION_SECRET']

# What Latchkey asks; nil if it has not asked this website, or not within the last ten minutes.
def read_request
  keys = JSON.parse(Net::HTTP.get(URI("#{LATCHKEY}/jwks")), symbolize_names: true)
  asked, header = JWT.decode(params['request'], nil, true, algorithms: ['ES256'], jwks: keys,
                             iss: LATCHKEY, verify_iss: true, aud: WEBSITE, verify_aud: true)
  asked if header['typ'] == 'sign-in-request+jwt'
rescue JWT::DecodeError
  nil
end

# Whether the person has to sign in, although they may have done so before; also to do so as somebody else.
def must_sign_in(asked)
  wanted = asked['prompt'] ? asked['iat'] : Time.now.to_i - asked.fetch('max_age', Time.now.to_i)
  session[:user].nil? || session[:signed_in_at] < wanted
end

# Sends the browser back with what Latchkey may know of the person.
def answer(asked)
  now = Time.now.to_i
  claims = { sub: session[:user]['id'], nonce: asked['nonce'], aud: LATCHKEY, iat: now, exp: now + 120, jti: SecureRandom.uuid,
             auth_time: session[:signed_in_at], username: session[:user]['name'], email: session[:user]['email'], email_verified: true }
  redirect "#{asked['return_to']}?#{URI.encode_www_form(response: JWT.encode(claims, SIGN_IN_SECRET, 'HS256', typ: 'JWT'))}"
end

# Here begins what your website has already: people, sessions and a form.
PEOPLE = [{ 'id' => '8f1c', 'name' => 'ada', 'password' => 'correct horse battery', 'email' => 'ada@www.example' }].freeze

def form(asked)
  cancel = Rack::Utils.escape_html("#{asked['return_to']}?#{URI.encode_www_form(nonce: asked['nonce'], error: 'access_denied')}")
  %(<form method="post"><input name="username"><input name="password" type="password">
    <button id="login">Sign in</button> <a href="#{cancel}">Cancel</a></form>)
end

before '/oauth-sign-in' do
  @asked = read_request or halt 400, 'This is no valid request of our sign-in server.'
end

get '/oauth-sign-in' do
  must_sign_in(@asked) ? form(@asked) : answer(@asked)
end

post '/oauth-sign-in' do
  user = PEOPLE.find { |one| one['name'] == params['username'] && one['password'] == params['password'] }
  halt 401, form(@asked) if user.nil?
  session.clear
  session[:user] = user.slice('id', 'name', 'email')
  session[:signed_in_at] = Time.now.to_i
  answer(@asked)
end
