import { describe, expect, it } from 'vitest'
import { readAnswer } from '#core/domain/webhooks/answer/read-answer.ts'

const told = (status: number, location: string): string => {
  const verdict = readAnswer({ kind: 'answer', status, headers: { location } }, new Date(0))
  return verdict.state === 'failed' ? verdict.message : verdict.state
}

it.each([
  ['https://login.example.com/signin?token=abc#part', 'redirects to https://login.example.com/signin;'],
  ['https://user:token@crm.example.com:8443/', 'redirects to https://crm.example.com:8443/;'],
  ['/login?next=token', 'redirects to /login;'],
  ['/login/?next=token', 'redirects to /login/;'],
  ['https://crm.example.com/hook/', 'redirects to https://crm.example.com/hook/;'],
  ['//other.example.com/a?token', 'redirects to https://other.example.com/a;'],
  ['mailto:token@example.com', 'redirects elsewhere;'],
  ['https://[', 'redirects elsewhere;'],
  [`/${'a'.repeat(5000)}`, 'redirects;'],
  [`/${'a'.repeat(500)}`, 'redirects to /…;'],
  ['https://hooks.example.com/T0/B1/token', 'redirects to https://hooks.example.com/…;'],
  ['/thanks/avery-token@example.com', 'redirects to /thanks…;'],
])('names the target of a redirect to %j, without its query', (location, words) => {
  const message = told(302, location)
  expect(message).toContain(words)
  expect(message).not.toContain('token')
})

describe('a redirect', () => {
  it.each([300, 301, 302, 303, 307, 308])(
    'of %i is not followed, and the text asks for its target as Endpoint URL',
    (status) => {
      expect(told(status, 'https://crm.example.com/hook')).toBe(
        `${status}: your endpoint redirects to https://crm.example.com/hook; redirects are not followed. If leads belong there, put that address in Endpoint URL; if it is a page for people, look what it says.`,
      )
    },
  )

  it('to the same address is explained by a proxy', () => {
    const asked = 'https://crm.example.com/lead?key=1'
    const redirect = (location: string) => {
      const ruled = { successRule: null, capturePath: null, body: '', bodyTruncated: false, asked }
      return readAnswer({ kind: 'answer', status: 301, headers: { location } }, new Date(0), ruled)
    }
    for (const location of [asked, '/lead?key=1', 'HTTPS://CRM.example.com:443/lead?key=1'])
      expect(redirect(location)).toMatchObject({
        message: expect.stringContaining('redirects to the very address that was asked') as string,
      })
    expect(redirect('?ok=1')).toMatchObject({
      message: expect.stringContaining('redirects to /lead;') as string,
    })
    expect(redirect('thank-you')).toMatchObject({
      message: expect.stringContaining('redirects to /thank-you;') as string,
    })
    expect(redirect('https://crm.example.com/lead/?key=1')).toMatchObject({
      message: expect.stringContaining('redirects to https://crm.example.com/lead/;') as string,
    })
  })

  it('that is relative is resolved against the requested address', () => {
    const ruled = { successRule: null, capturePath: null, body: '', bodyTruncated: false }
    const asked = 'https://crm.example.com/forms/contact.php'
    const redirect = (location: string) =>
      readAnswer({ kind: 'answer', status: 302, headers: { location } }, new Date(0), { ...ruled, asked })
    expect(redirect('?success=1')).toMatchObject({
      message: expect.stringMatching(/redirects to \/forms…;(?!.*Laravel)/) as string,
    })
    expect(redirect('thank-you')).toMatchObject({
      message: expect.stringContaining('redirects to /forms…;') as string,
    })
    expect(redirect('/')).toMatchObject({ message: expect.stringContaining('If it is Laravel') as string })
  })

  it('is not a 304, whatever its target', () => {
    expect(told(304, 'https://crm.example.com/')).not.toMatch(/redirect|final address/)
  })

  it('of a Google Apps Script that ran explains how the script can answer 200', () => {
    const message = told(302, 'https://script.googleusercontent.com/macros/echo?user_content_key=abc&lib=def')
    expect(message).toMatch(/^302: your Google Apps Script has run/)
    expect(message).toContain('HtmlService.createHtmlOutput')
    expect(message).not.toMatch(/final address|abc/)
  })

  it('of a Google Apps Script without access explains how to deploy it', () => {
    const message = told(302, 'https://accounts.google.com/ServiceLogin?continue=https://script.google.com/x')
    expect(message).toContain('access for “Anyone”')
  })

  it.each([
    'https://login.microsoftonline.com/common/oauth2/v2.0/authorize?client_id=1',
    'https://accounts.google.com/o/oauth2/v2/auth?client_id=1',
    'https://acme.okta.com/app/x/sso/saml',
    'https://acme.auth0.com/u/login',
    'https://auth.example.com/realms/crm/protocol/openid-connect/auth',
    '/login',
    '/login.php?next=/hook',
    '/Account/Login?ReturnUrl=%2Fhook',
    '/users/sign_in',
    '/wp-login.php?redirect_to=x',
    '/oauth2/start?rd=/hook',
    '/.auth/login/aad',
    '/session/new',
    '/auth',
    '/log_in',
    '/auth/realms/crm',
  ])('to %s is explained as a sign-in page', (location) => {
    const message = told(302, location)
    expect(message).toContain('a person signs in there')
    expect(message).not.toContain('final address')
  })

  it.each([
    ['/cgi-sys/suspendedpage.cgi', 'Ask the host'],
    ['https://crm.example.com/cgi-sys/defaultwebpage.cgi', 'has no site for its host name'],
    ['https://www.hugedomains.com/domain_profile.cfm?d=crm.example.com', 'is parked or for sale'],
    ['/.well-known/sgcaptcha/?r=%2Fhook', 'a firewall before your endpoint'],
  ])('to %s is not offered as Endpoint URL', (location, words) => {
    expect(told(302, location)).toContain(words)
  })

  it.each(['https://crm.example.com', '/', 'https://crm.example.com/?lang=en'])(
    'to the front page (%s) is explained as Laravel’s answer to refused values',
    (location) => {
      expect(told(302, location)).toContain('add Accept: application/json to Custom Headers')
      expect(told(303, location)).toContain('add Accept: application/json to Custom Headers')
      expect(told(301, location)).toContain('If leads belong there, put that address in Endpoint URL')
    },
  )

  it.each(['https://acme.cloudflareaccess.com/cdn-cgi/access/login/x?kid=1', '/cdn-cgi/access/login/x'])(
    'of Cloudflare Access (%s) names the headers that let a program pass',
    (location) => {
      expect(told(302, location)).toContain('CF-Access-Client-Id')
    },
  )

  it.each([
    'https://crm.example.com/api/leads/',
    '/blog/',
    '/authors/1',
    '/a?page=success-stories',
    '/hooks/login-form-leads',
    // Pages for people, and addresses of new leads that look like them.
    '/thank-you/',
    '/maintenance',
    '/leads/404',
    '/leads/suspended',
    'https://ww2.crm.example.com/',
    'https://auth.example.com/hook',
    '/contact?error=0',
    '/form?errors=&id=7',
    '/contact?error=none',
    '/form?success=no',
    '/form?sent=none',
    '/form?success=error',
  ])('to %s is offered as Endpoint URL', (location) => {
    expect(told(302, location)).toContain('If leads belong there, put that address in Endpoint URL')
  })
})
