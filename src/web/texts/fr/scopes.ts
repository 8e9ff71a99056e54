import type { scopes as english } from '../en/scopes.ts';

export const scopes: Record<keyof typeof english, string> = {
  'admin.part.scopes': 'Scopes',
  'admin.part.resources': 'Ressources',
  'admin.no_scopes': 'Il n’y a aucun scope.',
  'admin.used_by': 'Utilisé par {names}.',
  'admin.not_used': 'Personne ne l’utilise.',
  'admin.from_seed': 'Provient du seed {seed}.',
  'admin.new_scope': 'Créer un scope',
  'admin.scope_name': 'Nom',
  'admin.scope_name_hint':
    'Les applications le demandent sous ce nom. Une minuscule, puis des minuscules, des chiffres ou les signes _.-:. Il ne pourra plus être modifié.',
  'admin.sentence': 'Phrase',
  'admin.sentence_hint':
    'Ce que lisent les utilisateurs : ce qu’il permet à une application. Les autres langues s’ajoutent ensuite.',
  'admin.group': 'Groupe',
  'admin.group_hint': 'Par le nom d’un groupe, une application peut en demander tous les scopes.',
  'admin.scope_changes': 'Il permet de modifier, pas seulement de lire (comme tout nom qui finit par « :write »)',
  'admin.uses': 'Qui l’utilise',
  'admin.uses_text': 'Au plus cinq applications, cinq ressources et cinq claims.',
  'admin.use.client': 'Application',
  'admin.use.resource': 'Ressource',
  'admin.use.claim': 'Claim',
  'admin.sentences': 'Ce que lisent les utilisateurs',
  'admin.sentences_text':
    'Ne lui donnez jamais un sens plus large : ceux qui l’ont déjà autorisé ne sont pas interrogés de nouveau. Un champ vide ne change rien.',
  'admin.sentence_others': 'Toutes les langues sans phrase propre',
  'admin.built_in': 'Il appartient à ce serveur, qui a sa phrase dans toutes les langues.',
  'admin.group_title': 'Le groupe {group}',
  'admin.group_text': 'Comment les pages appellent l’ensemble des scopes de ce groupe. Un champ vide ne change rien.',
  'admin.delete_scope': 'Supprimer le scope',
  'admin.in_use_text': 'Un scope utilisé n’est pas supprimé : retirez-le d’abord à tous ceux qui l’utilisent.',
  'admin.own_scope': 'Ce serveur l’utilise lui-même pour les profils des personnes : il ne peut pas être supprimé.',
  'admin.ask.delete_scope':
    'Les applications ne pourront plus demander {name}. Un nouveau scope du même nom serait considéré comme autorisé par ceux qui ont autorisé celui-ci.',
  'admin.ask.delete_built_in':
    'Les applications ne pourront plus demander {name}. Il appartient à ce serveur : ni cette page ni une commande ne peuvent le recréer.',
  'admin.resources_text': 'D’autres serveurs qui acceptent les jetons de celui-ci.',
  'admin.no_resources': 'Aucune ressource n’est enregistrée.',
  'admin.new_resource': 'Enregistrer une ressource',
  'admin.resource_address': 'URL',
  'admin.resource_hint':
    'Elle commence par https:// et n’a ni nom d’utilisateur ni fragment (#…). Les applications la nomment dans resource, les jetons dans aud.',
  'admin.resource_scopes_hint': 'Ceux qu’elle connaît, ou leurs groupes, séparés par des espaces.',
  'admin.resource_client': 'ID client de son serveur',
  'admin.resource_client_hint': 'Ce client peut interroger /introspect sur les jetons destinés à la ressource.',
  'admin.no_resource_client': 'aucun',
  'admin.format': 'Jetons d’accès',
  'admin.format.opaque': 'Opaques : son serveur interroge celui-ci sur chacun',
  'admin.format.jwt': 'JWT : son serveur vérifie lui-même la signature',
  'admin.resource_off': 'Désactivée',
  'admin.resource_disabled':
    'Un seed ne la nomme plus. Il n’y a pas de jetons pour elle, comme si elle n’était pas enregistrée.',
  'admin.delete_resource': 'Supprimer la ressource',
  'admin.ask.delete_resource':
    'Tous les jetons destinés à {resource} cessent de fonctionner, et les applications n’en reçoivent plus. Un serveur qui vérifie lui-même un JWT l’accepte jusqu’à son expiration, dix minutes au plus.',
  'problem.scope_in_use':
    'Rien n’a été supprimé : le scope est utilisé. Retirez-le d’abord à tous ceux qui l’utilisent.',
  'problem.changed_since':
    'Rien n’a été supprimé : une modification a eu lieu après l’ouverture de la page. Voici l’état actuel.',
  'problem.sentence_malformed': 'Rien n’a été enregistré : une phrase a au plus 200 caractères, sur une seule ligne.',
  'field_problem.malformed_name':
    'Un nom est une minuscule suivie d’au plus 63 minuscules, chiffres ou signes _.-:. Reçu : {value}',
  'field_problem.built_in': 'Ce scope appartient au serveur : {value}',
  'field_problem.is_group': 'Un groupe porte ce nom, et les requêtes désignent ainsi tous ses scopes : {value}',
  'field_problem.is_scope': 'Un scope porte ce nom, un groupe ne peut donc pas le porter : {value}',
  'field_problem.malformed_sentence': 'Une phrase a au plus 200 caractères, sur une seule ligne.',
  'field_problem.not_a_resource':
    'Ce n’est pas une URL de la forme https://hôte/chemin, avec l’hôte en minuscules, sans nom d’utilisateur ni fragment : {value}',
  'field_problem.unknown_scope': 'Ce scope n’existe pas : {value}',
  'field_problem.unknown_client': 'Aucune application n’a cet ID client : {value}',
  'field_problem.exists': 'Déjà enregistré : {value}',
};
