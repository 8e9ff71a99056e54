import type { portal as english } from '../en/portal.ts';

export const portal: Record<keyof typeof english, string> = {
  'portal.title': 'Développer avec {brand}',
  'portal.about':
    'Les utilisateurs se connectent à {brand} et décident de ce que votre application peut faire. Par OAuth 2.0, elle reçoit des jetons pour cela exactement, et jamais de mot de passe.',
  'portal.contents': 'Sommaire',
  'portal.plain': 'Toutes les pages en un seul texte brut, pour les agents de programmation.',
  'portal.tasks': 'Que puis-je créer ?',
  'portal.begin': 'Par où commencer ?',
  'portal.begin.register': 'Enregistrez votre application : {page}',
  'portal.begin.task': 'Ouvrez la page de votre tâche. Ses programmes s’exécutent tels qu’ils sont affichés.',
  'portal.begin.flow':
    'Le programme envoie le navigateur à {authorize}, échange le code à {token} et lit le profil à {user}.',
  'portal.begin.refused':
    'Si une requête est refusée, son erreur a une page avec les causes habituelles, et l’espace développeurs indique la raison exacte : {console}',
  'portal.begin.demo': 'Le bac à sable montre chaque message d’un tel échange : {playground}',
  'portal.not': 'Ce que ce serveur n’offre pas',
  'portal.not.openid': 'Il n’y a ni id_token ni scope openid. Ce que vous pouvez faire à la place : {page}',
  'portal.not.device':
    'Un appareil sans navigateur ne peut connecter personne. Confiez cela à votre application sur le téléphone ou l’ordinateur.',
  'portal.not.client': 'Un serveur n’obtient pas de jeton pour lui-même, seulement pour une personne qui l’a autorisé.',
  'portal.not.exchange':
    'Un jeton ne s’échange pas contre celui d’un autre service. Demandez un jeton pour chaque ressource.',
  'portal.not.obsolete': 'Les deux sont obsolètes. Utilisez un code d’autorisation avec PKCE.',
  'portal.machines': 'Pour les programmes et les agents de programmation',
  'portal.questions': 'Questions',
  'portal.questions.text': 'Adressez-vous aux exploitants de ce serveur : {support}',
  'portal.register': 'Enregistrer une application',
  'portal.register.about': 'Qui peut le faire ici, et ce qui est enregistré.',
  'portal.register.console': 'Par une personne',
  'portal.register.open':
    'Toute personne qui a un compte enregistre des applications dans l’espace développeurs : {console}',
  'portal.register.admins':
    'Les administrateurs de ce serveur enregistrent les applications. Envoyez-leur le nom, le site, les URI de redirection et les scopes de la vôtre, ainsi que votre nom d’utilisateur, pour qu’elle vous appartienne.',
  'portal.register.off':
    'Les exploitants de ce serveur enregistrent les applications. Envoyez-leur le nom, le site, les URI de redirection et les scopes de la vôtre, ainsi que votre nom d’utilisateur, pour qu’elle vous appartienne.',
  'portal.register.form': 'Quiconque en a le droit trouve le formulaire ici : {form}',
  'portal.register.redirects':
    'Une URI de redirection est comparée caractère par caractère. Elle commence par https et se trouve sur le site de l’application ; http est réservé au site localhost, pour un essai sur votre ordinateur. Une application publique peut aussi utiliser une adresse de bouclage, dont le port peut varier, ou un schéma privé qui commence par le domaine de son site en ordre inverse : {scheme} pour {site}.',
  'portal.register.kinds':
    'Une application sur un serveur est confidentielle : elle a un secret. Dans un navigateur, sur un téléphone ou un ordinateur, elle est publique : elle n’a pas de secret, et PKCE la protège.',
  'portal.register.methods': 'Une application confidentielle prouve son identité de l’une de ces façons : {methods}',
  'portal.register.itself': 'Par l’application elle-même',
  'portal.register.itself_open': 'Toute application s’enregistre elle-même à {address} [RFC 7591].',
  'portal.register.itself_token':
    'Une application s’enregistre elle-même à {address} [RFC 7591] avec un jeton d’accès initial, à demander aux exploitants de ce serveur.',
  'portal.register.unvouched':
    'Aucun administrateur n’a approuvé une telle application : la page de consentement nomme d’abord son hôte, et les scripts du site ne peuvent lire les réponses que si un administrateur a approuvé une autre application du site. Tous les ports de localhost comptent comme un seul site.',
  'portal.register.document': 'Par un document de métadonnées',
  'portal.register.document_text':
    'Une application n’a pas besoin d’enregistrement si son {client_id} est l’adresse https d’un document comme celui-ci, que ce serveur va chercher.',
  'portal.program':
    'Pour l’ID client {client_id}, l’URI de redirection {redirect_uri} et le scope {scope}. L’espace développeurs l’affiche avec votre enregistrement.',
  'portal.program.api':
    'Avec l’ID client {client_id}, par lequel l’API se renseigne sur les jetons. L’espace développeurs l’affiche avec votre enregistrement.',
  'portal.program.secret': 'Il lit le secret client dans la variable d’environnement {variable}.',
  'portal.program.revoke':
    'Il lit le secret client et le jeton dans les variables d’environnement {secret} et {token}.',
  'portal.refresh':
    'Un jeton d’actualisation sert une fois, et la réponse contient le suivant : enregistrez-le avant de continuer. Si une réponse se perd, répétez la requête dans un délai de {grace}.',
  'portal.keep':
    'En cas de 429 ou 503, gardez vos jetons et réessayez après Retry-After. En cas d’invalid_grant, la personne doit se reconnecter.',
  'portal.web': 'Application web',
  'portal.web.about': 'Son serveur garde un secret et connecte les utilisateurs.',
  'portal.web.session':
    'Gardez les jetons sur votre serveur. Le navigateur ne reçoit que le cookie de votre propre session.',
  'portal.web.state':
    'Envoyez à chaque requête un nouveau state et un nouveau défi PKCE, et comparez state et iss dans la réponse.',
  'portal.spa': 'Application monopage',
  'portal.spa.about': 'Une page web sans serveur propre.',
  'portal.spa.site':
    'Les scripts ne peuvent lire les réponses que sur le site d’une application qu’un administrateur a approuvée : demandez-le. Tous les ports de localhost comptent comme un seul site ; ce qui y fonctionne peut donc échouer sur votre propre site.',
  'portal.spa.memory': 'Gardez les jetons en mémoire, jamais dans localStorage, où tout script du site peut les lire.',
  'portal.native': 'Application native et mobile',
  'portal.native.about': 'Sur un téléphone, un ordinateur ou une ligne de commande.',
  'portal.native.browser':
    'Ouvrez le navigateur du système, jamais une vue web à vous : personne ne devrait saisir son mot de passe dans une application.',
  'portal.native.redirect':
    'Enregistrez {loopback} et écoutez sur n’importe quel port libre, comme le fait le premier programme ; ou, pour le site {site}, un schéma privé qui commence par ce domaine en ordre inverse, comme {scheme} ; ou une adresse https que le système ouvre dans votre application.',
  'portal.native.public': 'L’application est publique : un secret qu’elle contiendrait serait connu de tous.',
  'portal.mcp': 'Client MCP',
  'portal.mcp.about': 'Un agent qui utilise les outils d’un serveur MCP.',
  'portal.mcp.finds':
    'Le client ne connaît que l’adresse du serveur MCP, dont les métadonnées nomment ce serveur. Avec le paramètre {resource}, il demande des jetons pour ce serveur MCP, inutiles ailleurs.',
  'portal.mcp.unknown':
    'Si ce serveur MCP n’est pas enregistré ici comme ressource, la réponse est {error}, ou {scope_error} si le serveur MCP publie des scopes inconnus ici. Seuls les exploitants de ce serveur peuvent l’enregistrer : envoyez-leur son adresse, telle qu’elle figure sous resource dans ses métadonnées, et ses scopes. Ressources enregistrées : {page}',
  'portal.mcp.itself': 'Il peut s’enregistrer lui-même ici : sans valeur pour {member}, le programme le fait.',
  'portal.mcp.document': 'Il n’a pas besoin d’enregistrement s’il publie un document de métadonnées : {page}',
  'portal.mcp.registered': 'Il doit d’abord être enregistré ici : {page}',
  'portal.api': 'Votre propre API',
  'portal.api.about': 'Elle accepte les jetons de ce serveur.',
  'portal.api.registered':
    'Les exploitants de ce serveur enregistrent l’API comme ressource, avec ses scopes et le client par lequel elle se renseigne sur les jetons. Toute autre application ne peut se renseigner que sur ses propres jetons.',
  'portal.api.introspect':
    'Interrogez {introspect} sur chaque jeton. Acceptez-le si active vaut true, si aud est votre ressource, si scope contient le nécessaire et si token_type vaut Bearer, sans cnf.',
  'portal.api.jwt':
    'Une ressource peut avoir des jetons signés [RFC 9068]. Vérifiez-les avec les clés de {jwks} : alg vaut ES256, typ vaut at+jwt, iss vaut {issuer}, aud est votre ressource, exp n’est pas passé. Ils sont valables {ttl} au plus, même révoqués.',
  'portal.api.jwt_library':
    'Pour Node, utilisez {node} avec {base} (cet émetteur) et {audience} (votre ressource) ; pour Python, {python}, avec lequel vous comparez vous-même {type}. Un exemple du contenu d’un tel jeton figure plus bas.',
  'portal.api.refuse':
    'Répondez 401 avec WWW-Authenticate à un jeton non valide, 403 s’il manque un scope, et 503 si vous ne pouvez pas interroger : à un 401, les applications jettent leurs jetons.',
  'portal.api.nginx':
    'nginx apprend seulement que le jeton est valide et de cette application, ni destiné à une ressource ni lié à une clé : pour les scopes, l’API interroge elle-même.',
  'portal.sign_in': 'Se connecter avec {brand}',
  'portal.sign_in.about': 'Les comptes de votre site, sans id_token.',
  'portal.sign_in.how':
    'Connectez les utilisateurs comme le fait une application web, {page}, et lisez {user} avec le jeton d’accès sur votre serveur.',
  'portal.sign_in.sub':
    'Reconnaissez les utilisateurs à {sub} seul. Nom, nom d’utilisateur et adresse changent et peuvent passer à quelqu’un d’autre.',
  'portal.sign_in.proves':
    'Cela prouve : la personne devant ce navigateur a un compte ici et a permis à votre application de le connaître. Seul un code que vous échangez vous-même, avec vos propres vérificateur PKCE et state, le prouve.',
  'portal.sign_in.not':
    'Un jeton d’accès qu’un navigateur ou une application remet à votre serveur ne prouve rien : il peut être celui d’une autre application. Une actualisation ne prouve pas non plus que la personne est là.',
  'portal.sign_in.time':
    'Avec {max_age} à {authorize}, vous demandez une nouvelle connexion. {introspect} indique par auth_time et acr quand et comment elle a eu lieu.',
  'portal.messages': 'Requêtes et réponses',
  'portal.messages.about': 'Chaque message de l’échange, pour un client sans bibliothèque.',
  'portal.messages.authorize': 'Requête d’autorisation',
  'portal.messages.authorize_text':
    'Le navigateur s’y rend et revient à l’URI de redirection avec {answer}, ou avec {error} en cas de refus.',
  'portal.messages.response_type': 'Toujours {code}.',
  'portal.messages.registered':
    'Tels qu’ils sont enregistrés. Si une seule URI est enregistrée, le second peut être omis ; il l’est alors aussi au point de terminaison de jeton.',
  'portal.messages.requested': 'Séparés par des espaces. Sans lui, vous demandez tout ce qui est enregistré.',
  'portal.messages.state': 'Une nouvelle valeur aléatoire pour chaque requête, qui revient inchangée.',
  'portal.messages.challenge':
    'L’empreinte SHA-256 de votre code_verifier en base64url, et {method}. Une application publique doit les envoyer.',
  'portal.messages.prompt':
    '{none} : aucune page n’est affichée ; s’il en faut une, l’erreur est l’une de {errors}. {login} : se reconnecter. {consent} : demander de nouveau. {select_account} : choisir le compte.',
  'portal.messages.login_hint':
    'Le nom d’utilisateur ou l’adresse de la personne attendue. Préremplit le formulaire de connexion.',
  'portal.messages.ui_locales': 'La langue des pages, par exemple {language}.',
  'portal.messages.max_age': 'L’ancienneté maximale de la connexion, en secondes. {now} en demande une nouvelle.',
  'portal.messages.acr_values':
    '{one} : un facteur suffit. {two} : deux facteurs. Si ce n’est pas possible, l’erreur est {error}.',
  'portal.messages.resource': 'Le service auquel le jeton est destiné, si ce n’est pas celui-ci : {page}',
  'portal.messages.response_mode':
    'Avec {form}, une page envoie la réponse sous forme de formulaire. Sans lui, elle figure dans les paramètres de l’URL.',
  'portal.messages.token': 'Requête de jeton',
  'portal.messages.authenticate':
    'Une application publique envoie {id}. Une confidentielle ajoute {secret}, ou envoie les deux par HTTP Basic. Le JSON est lu aussi.',
  'portal.messages.lines': 'Les retours à la ligne dans les formulaires ne servent qu’à la lecture.',
  'portal.messages.granted':
    '{scope} dit ce qui a été accordé, parfois moins que demandé. Si tout l’a été, il est écrit comme vous l’avez envoyé.',
  'portal.messages.once':
    'Si la personne ne l’autorise que cette fois, il n’y a pas de {refresh_token}. Si elle a choisi une fin, {member} indique les secondes restantes.',
  'portal.messages.refresh': 'Actualisation',
  'portal.messages.reuse':
    'Si un ancien jeton d’actualisation arrive plus tard, ou après l’emploi de son successeur, tous les jetons du code sont révoqués, et la réponse est {error}.',
  'portal.messages.narrow':
    'Avec {scope}, le nouveau jeton d’accès a moins, jamais plus que ce qui a été accordé. L’actualisation suivante peut de nouveau tout demander.',
  'portal.messages.user': 'Profil',
  'portal.messages.user_text': '{always} sont toujours là, les autres champs avec leurs scopes : {page}',
  'portal.messages.email':
    '{email} vaut {null}, et {verified} vaut false, tant que l’adresse n’est pas confirmée. {name} peut aussi valoir {null}.',
  'portal.messages.introspect': 'Introspection',
  'portal.messages.introspect_text':
    'Si {active} vaut false, il n’y a rien d’autre. {aud} est là pour le jeton d’une ressource, {cnf} pour un jeton lié à une clé ; un jeton d’actualisation n’a pas de {token_type}.',
  'portal.messages.revoke': 'Révocation',
  'portal.messages.revoke_text':
    'Avec un jeton d’actualisation, tous les jetons de son code prennent fin. Avec un jeton d’accès, celui-ci seulement : le jeton d’actualisation reste valable. Un jeton inconnu reçoit la même réponse.',
  'portal.messages.refusal': 'Refus',
  'portal.messages.refusal_text':
    'Chaque adresse pour programmes répond ainsi à une erreur ; /user l’a aussi dans {header}. Que faire dans chaque cas : {page}',
  'portal.end': 'Révoquer et déconnecter',
  'portal.end.about': 'Comment l’accès prend fin.',
  'portal.end.revoke':
    'Quand une personne se déconnecte de votre application, révoquez le jeton d’actualisation à {revoke} : tous les jetons issus du même code prennent fin avec lui.',
  'portal.end.session':
    'Se déconnecter de votre application met fin à votre propre session, pas à celle d’ici : il n’y a pas de déconnexion unique. Les utilisateurs y mettent fin sur la page de leur compte : {account}',
  'portal.end.people':
    'Mettez un lien vers la page où les utilisateurs voient, modifient et retirent ce qu’ils ont permis à votre application : {page}',
  'portal.end.leaked':
    'Envoyez à {leaked} un jeton trouvé en public : il est révoqué, avec tous ceux qui lui sont liés.',
  'portal.reference': 'Scopes, adresses, durées',
  'portal.reference.about': 'Ce que ce serveur propose.',
  'portal.scopes': 'Scopes',
  'portal.scopes.text':
    'Demandez le strict nécessaire. Une application peut demander les scopes de son enregistrement, et les utilisateurs peuvent refuser chacun de ceux qui ne sont pas enregistrés comme obligatoires. La réponse avec le jeton dit ce qui a été accordé.',
  'portal.scopes.parent':
    '{group} vaut pour {members} ensemble. Une requête peut le nommer, et une réponse le nomme à leur place si tous sont accordés. Acceptez donc un scope ou le groupe dont il fait partie.',
  'portal.scopes.fields': 'Champs de /user : {fields}.',
  'portal.scopes.opens': 'Donne accès à {addresses}.',
  'portal.scopes.at': 'Pour {resources}.',
  'portal.scopes.elsewhere': 'Ne donne accès à aucune adresse de ce serveur : il est destiné à une ressource.',
  'portal.scopes.strangers':
    'Une application que personne n’a enregistrée obtient ceux qui ne modifient rien, si elle n’en nomme aucun.',
  'portal.scopes.group': 'Fait partie de {group}.',
  'portal.scopes.changes': 'Permet des modifications.',
  'portal.scopes.factors': 'Exige une connexion à deux facteurs.',
  'portal.scopes.recent': 'Exige une connexion datant de moins de {time}.',
  'portal.resources': 'Ressources',
  'portal.resources.text':
    'D’autres services qui acceptent les jetons de ce serveur, avec leurs scopes. Nommez-en un par {resource}, et le jeton ne vaut que pour lui.',
  'portal.resources.public':
    'Seules les ressources dont l’adresse https est publique figurent ici ; une autre, par exemple sur localhost, accepte aussi des jetons.',
  'portal.resources.jwt': 'Jetons signés.',
  'portal.endpoints': 'Adresses',
  'portal.endpoints.text': 'Les bibliothèques les trouvent par les métadonnées : {metadata}',
  'portal.endpoints.dpop': 'Un jeton peut être lié à une clé par DPoP [RFC 9449] : il est alors inutile à un voleur.',
  'portal.endpoints.nonce': 'Les preuves exigent le nonce de l’en-tête {header}.',
  'portal.endpoints.github': 'Les logiciels écrits pour GitHub Enterprise utilisent {authorize} et {api}.',
  'portal.lifetimes': 'Durées de validité',
  'portal.lifetimes.signed': 'Jeton d’accès signé',
  'portal.lifetimes.family': 'Tous les jetons d’un code, même actualisés',
  'portal.lifetimes.grace': 'Une actualisation répétée obtient la même réponse',
  'portal.lifetimes.pushed': '{member} d’une requête transmise à l’avance',
  'portal.errors': 'Limites et erreurs',
  'portal.errors.about': 'Ce que signifie un refus.',
  'portal.errors.text':
    'Une erreur a error, error_description et error_uri, qui mène à sa page. Par {id}, les exploitants de ce serveur et l’espace développeurs trouvent la raison.',
  'portal.limits': 'Limites',
  'portal.limits.text': 'Au-delà, la réponse est 429 avec {header}. Les bons identifiants sont toujours acceptés.',
  'portal.limits.credentials': 'Secrets client, codes et jetons d’actualisation erronés d’un même réseau',
  'portal.limits.tokens': 'Jetons d’accès erronés d’un même réseau',
  'portal.limits.proofs':
    'Preuves, ou requêtes transmises à l’avance, d’une application confidentielle qu’aucun administrateur n’a approuvée',
  'portal.limits.registrations': 'Enregistrements d’un même réseau',
  'home.portal': 'Documentation pour les développeurs',
  'home.portal_text': 'Ce que vous pouvez créer avec {brand}, et par où commencer.',
};
