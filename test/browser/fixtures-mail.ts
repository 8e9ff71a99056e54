import { type Fixture, user } from './fixtures-flow.ts';

/** The pages of forgotten passwords and of links in mails. */
export const mailFixtures: Fixture[] = [
  {
    name: 'forgot-password',
    view: 'forgot-password',
    data: {
      action: '/forgot-password',
      csrf: 'csrf',
      sent: false,
      typed: '',
      back: '/login',
      support: 'https://help.example/',
    },
  },
  {
    name: 'forgot-password-too-often',
    view: 'forgot-password',
    status: 429,
    data: {
      action: '/forgot-password',
      csrf: 'csrf',
      sent: false,
      typed: 'alice',
      back: '/login',
      support: 'https://help.example/',
      problem: 'too_many_attempts',
      wait_minutes: 15,
    },
  },
  {
    name: 'forgot-password-sent',
    view: 'forgot-password',
    data: {
      ...{ action: '/forgot-password', csrf: 'csrf', sent: true, typed: '', back: '/login' },
      support: 'https://help.example/',
    },
  },
  {
    name: 'reset-password',
    view: 'reset-password',
    data: {
      action: '/reset-password',
      back: '/login',
      client: { name: 'Photo Printer', site_domain: 'printer.example', vouched: true },
      csrf: 'csrf',
      link: 'lk_ml_x',
      username: 'alice@example.com',
      problem: 'password_too_short',
    },
  },
  {
    name: 'confirm-address',
    view: 'confirm-address',
    data: {
      viewer: user,
      csrf: 'csrf',
      action: '/account/confirm-address',
      link: 'lk_ml_x',
      username: 'alice',
      address: 'alice@wonderland.example',
    },
  },
  {
    name: 'not-me',
    view: 'not-me',
    status: 400,
    support_url: 'https://help.example/',
    data: {
      ...{ csrf: 'csrf', action: '/not-me', link: 'lk_ml_x', username: 'alice', address: 'alice@example.com' },
      ...{ at: new Date('2026-11-20T17:59:00Z'), has_password: true },
      keeps_address: true,
      new_factor: { is_removable: true, parts: [{ by: 'app', name: null, at: new Date('2026-11-20T18:10:00Z') }] },
      second_factor: 'remove',
      problem: { name: 'wrong_old_password' },
    },
  },
  {
    name: 'not-me-activity',
    view: 'not-me',
    support_url: 'https://help.example/',
    data: {
      ...{ viewer: user, csrf: 'csrf', action: '/account/not-me?event=1', username: 'alice' },
      event: {
        at: new Date('2026-11-20T17:59:00Z'),
        activity: 'passkey_added',
        passkey: 'Pixel 9',
        address: '192.0.2.7',
      },
      forgot_href: '/forgot-password',
      proof: { by: 'password', code: true },
      has_password: true,
    },
  },
  {
    name: 'address-taken',
    view: 'message',
    status: 409,
    support_url: 'https://help.example/',
    data: {
      ...{ viewer: user, csrf: 'csrf', message: 'address_taken' },
      ...{ address: 'alice@wonderland.example', username: 'alice' },
      more: {
        href: '/login?to=%2Faccount&fresh=1&login_hint=alice%40wonderland.example',
        label: 'message.address_taken.sign_in',
      },
      back: { href: '/account#email', label: 'back.other_address' },
    },
  },
  {
    name: 'demo-mails',
    view: 'demo-mails',
    data: {
      signed_out: true,
      mails: [
        {
          to: 'alice@example.com',
          subject: 'Set a new password for Latchkey',
          sent_at: new Date('2026-11-20T18:03:00Z'),
          lines: [
            { text: 'Someone, probably you, has asked for a new password for your account alice.', is_link: false },
            { text: `http://localhost:3000/reset-password?token=lk_ml_${'x'.repeat(49)}`, is_link: true },
          ],
        },
      ],
    },
  },
  {
    name: 'sign-up',
    view: 'sign-up',
    data: { action: '/sign-up', csrf: 'csrf', back: '/login', sent: false, typed: 'ada', problem: 'email_invalid' },
  },
  {
    name: 'sign-up-sent',
    view: 'sign-up',
    data: { action: '/sign-up', csrf: 'csrf', back: '/login', sent: true, typed: 'ada@example.com' },
  },
  {
    name: 'finish-sign-up',
    view: 'finish-sign-up',
    data: {
      action: '/sign-up/finish',
      back: '/login',
      client: { name: 'Photo Printer', site_domain: 'printer.example', vouched: false },
      csrf: 'csrf',
      link: 'lk_ml_x',
      address: 'ada@example.com',
      username: 'admin',
      problem: 'username_reserved',
    },
  },
  {
    name: 'link-over',
    view: 'message',
    status: 410,
    data: { signed_out: true, message: 'link_over', back: { href: '/forgot-password', label: 'back.new_link' } },
  },
];
