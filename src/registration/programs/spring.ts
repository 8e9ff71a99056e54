import { springProperties } from '../console/source-text.ts';
import { advice, type Library, portOf } from './library.ts';

/** Where it answers: the last segment is the name of the registration, which is part of the keys. */
const callback = /^https?:\/\/[^/]+\/login\/oauth2\/code\/([a-z][a-z0-9-]*)$/;

export const spring: Library = {
  id: 'spring',
  name: 'Spring Security',
  file: 'application.properties',
  answers_at: { accepts: (redirect_uri) => callback.test(redirect_uri), path: '/login/oauth2/code/latchkey' },
  program({ issuer, client_id, redirect_uri, scope, is_public }) {
    const [, id = ''] = callback.exec(redirect_uri) ?? [];
    const registration = springProperties`spring.security.oauth2.client.registration.${id}`;
    return springProperties`
# for an application with spring-boot-starter-oauth2-client; ${advice}
${registration}.client-id=${client_id}
${registration}.${is_public ? withoutSecret : withSecret}
${registration}.authorization-grant-type=authorization_code
${registration}.redirect-uri=${redirect_uri}
${registration}.scope=${scope.split(' ')}
spring.security.oauth2.client.provider.${id}.issuer-uri=${issuer}
server.port=${portOf(redirect_uri)}
server.forward-headers-strategy=framework`;
  },
};

const withSecret = springProperties`client-secret=\${CLIENT_SECRET}`;
const withoutSecret = springProperties`client-authentication-method=none`;
