import { describe, expect, it } from 'vitest'
import { readAnswer } from '#core/domain/webhooks/answer/read-answer.ts'

const now = new Date('2026-01-31T12:00:00Z')
const told = (status: number, body: string): string => {
  const ruled = { successRule: null, capturePath: null, body, bodyTruncated: false }
  const verdict = readAnswer({ kind: 'answer', status, headers: {} }, now, ruled)
  return verdict.state === 'failed' ? verdict.message : verdict.state
}

describe('an answer whose words tell the cause', () => {
  it.each([
    // Web servers, before the program behind them has seen anything.
    [400, '<center>Request Header Or Cookie Too Large</center>', 'Shorten Custom Headers'],
    [400, 'Size of a request header field exceeds server limit.', 'Shorten Custom Headers'],
    [400, 'HTTP Error 400. The size of the request headers is too long.', 'Shorten Custom Headers'],
    [400, '<b>Message</b> Request header is too large', 'Shorten Custom Headers'],
    [400, '<h2>Bad Request - Invalid URL</h2>', 'does not accept this address. Check Endpoint URL'],
    [
      400,
      '<b>Message</b> Invalid character found in the request target [/a?b={c}].',
      'does not accept this address. Check Endpoint URL',
    ],
    [
      400,
      '<title>400 No required SSL certificate was sent</title>',
      'asks for a client certificate. Add one',
    ],
    [400, '<center>The SSL certificate error</center>', 'did not accept the client certificate'],
    [400, '<center>The plain HTTP request was sent to HTTPS port</center>', 'begin with https://'],
    [400, 'You’re speaking plain HTTP to an SSL-enabled server port.<br />', 'begin with https://'],
    [400, 'Client sent an HTTP request to an HTTPS server.\n', 'begin with https://'],
    [400, 'This combination of host and port requires TLS.', 'begin with https://'],
    // The host name: IIS, Django with and without DEBUG, Starlette, Rails, Vite.
    [400, '<h2>Bad Request - Invalid Hostname</h2>', 'does not accept requests for its host name'],
    [
      400,
      "<title>DisallowedHost at /hook</title> Invalid HTTP_HOST header: 'crm.example.com'. You may need to add 'crm.example.com' to ALLOWED_HOSTS.",
      'does not accept requests for its host name',
    ],
    [400, '<h1>Bad Request (400)</h1><p></p>', 'ALLOWED_HOSTS'],
    [400, '<title>Invalid Host: crm.example.com</title>', 'does not accept requests for its host name'],
    [400, 'Invalid host header', 'does not accept requests for its host name'],
    [400, "Invalid HTTP_HOST header: 'my_host'.", 'does not accept requests for its host name'],
    [400, 'Untrusted Host "crm.example.com".', 'does not accept requests for its host name'],
    [400, '{"error":"invalid hostname in e-mail"}', 'Check Payload Format'],
    [403, '<h1>Blocked hosts: crm.example.com</h1>', 'does not accept requests for its host name'],
    [
      403,
      'Blocked request. This host ("crm.example.com") is not allowed.',
      'does not accept requests for its host name',
    ],
    // Amazon and Salesforce.
    [
      403,
      '[{"message":"TotalRequests Limit exceeded.","errorCode":"REQUEST_LIMIT_EXCEEDED"}]',
      'its limit is used up',
    ],
    [403, '{"message":"Missing Authentication Token"}', 'has no such address or method'],
    [
      403,
      'This distribution is not configured to allow the HTTP request method that was used for this request.',
      'Check HTTP Method',
    ],
    [403, '{"error":{"errors":[{"reason":"quotaExceeded"}]}}', 'its limit is used up'],
    [403, 'You have exceeded your quota', 'its limit is used up'],
    [403, '{"message":"Limit Exceeded"}', 'its limit is used up'],
    [403, 'User Rate Limit Exceeded', 'its limit is used up'],
    [422, '{"error":"Daily cap reached"}', 'its limit is used up'],
    // Make, n8n, Power Automate, Azure, ngrok: what takes the leads is off.
    [400, 'Queue is full.', 'queue is full'],
    [400, 'There is no scenario listening for this webhook.', 'is switched off or gone'],
    [
      404,
      String.raw`{"code":404,"message":"The requested webhook \"POST leads\" is not registered.","hint":"…"}`,
      'Activate the workflow',
    ],
    [
      404,
      'This webhook is not registered for POST requests. Did you mean to make a GET request?',
      'Check HTTP Method',
    ],
    [
      400,
      '{"error":{"code":"WorkflowTriggerIsNotEnabled","message":"Could not execute workflow"}}',
      'is switched off or gone',
    ],
    [403, '<h1>Error 403 - This web app is stopped.</h1>', 'is switched off or gone'],
    [403, 'Account suspended', 'Renew it there'],
    [402, '{"message":"Your trial has expired"}', 'Renew it there'],
    [503, 'This webhook is paused', 'is switched off or gone'],
    [409, '{"error":"Integration inactive"}', 'is switched off or gone'],
    [404, '{"message":"Workflow is not published"}', 'is switched off or gone'],
    [410, 'This endpoint has been disabled', 'is switched off or gone'],
    [503, 'Service Suspended', 'is switched off or gone'],
    [403, String.raw`{"error":"The workflow \"New leads\" is disabled."}`, 'is switched off or gone'],
    [404, 'Zap 4711 is off', 'is switched off or gone'],
    [404, '{"message":"This workflow is currently paused."}', 'is switched off or gone'],
    [422, '{"error":"Zap has been turned off"}', 'is switched off or gone'],
    [400, '{"error":"Campaign is not active"}', 'is switched off or gone'],
    [404, 'The endpoint a1b2.ngrok-free.app is offline.\n\nERR_NGROK_3200', 'Start the tunnel'],
    [401, '{"errors":[{"message":"You sent an invalid key."}]}', 'the key in its address'],
    [530, 'error code: 1033', 'Start the tunnel'],
    [401, '{"error":{"code":"DirectApiAuthorizationRequired"}}', 'the key in its address'],
    // Cloudflare Access, firewalls, and checks meant for browsers.
    [403, '<title>Forbidden</title> Cloudflare Access', 'CF-Access-Client-Id'],
    [403, '<title>Attention Required! | Cloudflare</title>', 'a firewall before your endpoint'],
    [403, 'Request forbidden by administrative rules.', 'a firewall before your endpoint'],
    [403, 'The requested URL was rejected. Please consult with your administrator.', 'a firewall'],
    [403, 'error code: 1020', 'a firewall before your endpoint'],
    [403, 'Request blocked. Generated by cloudfront (CloudFront)', 'a firewall before your endpoint'],
    [503, '<p>Generated by Wordfence at Sat, 31 Jan</p>', 'a firewall before your endpoint'],
    [403, '<h1>Forbidden</h1><p>CSRF verification failed. Request aborted.</p>', 'demands a CSRF token'],
    [400, 'Bad CSRF token', 'demands a CSRF token'],
    [403, "Invalid CSRF Token 'null' was found", 'demands a CSRF token'],
    [422, 'ActionController::InvalidAuthenticityToken', 'demands a CSRF token'],
    [419, '{"message":"CSRF token mismatch."}', 'demands a CSRF token'],
    [419, '', 'demands a CSRF token'],
    // Signatures, as the samples of Stripe, Svix and Standard Webhooks refuse them; credentials, and http where https is wanted.
    [
      400,
      'Webhook Error: No signatures found matching the expected signature for payload.',
      'Signing secret',
    ],
    [400, 'Webhook signature verification failed', 'Signing secret'],
    [400, 'No matching signature found', 'Signing secret'],
    [403, '{"error":"Invalid signature"}', 'Signing secret'],
    [403, '{"error":"invalid_signature"}', 'Signing secret'],
    [422, 'HMAC validation failed', 'Signing secret'],
    [400, '{"code":"WEBHOOK_SIGNATURE_INVALID"}', 'Signing secret'],
    [400, 'Message timestamp too old', 'Set its clock'],
    [401, 'Timestamp outside the tolerance zone (1769860800)', 'Set its clock'],
    [
      400,
      '{"error":{"message":"API key not valid. Please pass a valid API key.","details":[{"reason":"API_KEY_INVALID"}]}}',
      'refused the credentials',
    ],
    [400, '{"error":"Invalid API key"}', 'refused the credentials'],
    [422, '{"message":"Missing api_key"}', 'refused the credentials'],
    [422, '{"errors":{"api_key":["is required"]}}', 'refused the credentials'],
    [400, 'Missing required header: X-Api-Key', 'refused the credentials'],
    [400, '{"message":"Invalid or expired access token"}', 'refused the credentials'],
    [400, '{"error":"Invalid token"}', 'refused the credentials'],
    [400, '{"message":"Unauthorized"}', 'refused the credentials'],
    [400, '{"error":"Authentication failed"}', 'refused the credentials'],
    [400, 'Invalid authentication credentials', 'refused the credentials'],
    [400, '{"error":"Invalid credentials"}', 'refused the credentials'],
    [
      403,
      '<h3>The page you are trying to access is secured with Secure Sockets Layer (SSL).</h3>',
      'begin with https://',
    ],
    [403, '{"error":"HTTPS required"}', 'begin with https://'],
    [400, 'This API is only available over https', 'begin with https://'],
    [403, 'SSL is required to view this resource.', 'begin with https://'],
    [426, 'Please use https', 'begin with https://'],
    // Cloudflare and Fastly, which have no server for the name; firewalls of Azure, Vercel and Akamai.
    [530, 'error code: 1016', 'DNS records'],
    [530, '<title>Origin DNS error | crm.example.com | Cloudflare</title>', 'DNS records'],
    [409, 'error code: 1001', 'DNS records'],
    [403, 'error code: 1003', 'DNS records'],
    [500, 'Fastly error: unknown domain: crm.example.com.', 'does not accept requests for its host name'],
    [403, '<title>Microsoft</title></head><body>The request is blocked.', 'a firewall'],
    [429, '<title>Vercel Security Checkpoint</title>', 'a firewall'],
    [403, 'https&#58;&#47;&#47;errors&#46;edgesuite&#46;net&#47;18', 'a firewall'],
    [403, '<center>Microsoft-Azure-Application-Gateway/v2</center>', 'a firewall'],
    // Lists of addresses and countries, what an API does not know, and servers that take no leads.
    [400, '{"error":"IP not whitelisted"}', 'its allow-list'],
    [401, 'Your IP address 203.0.113.9 is not authorized', 'its allow-list'],
    [422, 'Unauthorized IP', 'its allow-list'],
    [401, 'Access from your IP is restricted', 'its allow-list'],
    [
      403,
      'The Amazon CloudFront distribution is configured to block access from your country.',
      'a firewall before your endpoint',
    ],
    [404, '{"error":"Campaign not found"}', 'Check the ids in Endpoint URL and Payload Template'],
    [404, '{"code":"CAMPAIGN_NOT_FOUND"}', 'Check the ids in Endpoint URL and Payload Template'],
    [404, '{"error":"Pipeline 12 does not exist"}', 'Check the ids in Endpoint URL and Payload Template'],
    [501, "<p>Message: Unsupported method ('POST').</p>", 'Check HTTP Method'],
    [400, '{"error":"Signature could not be verified"}', 'Signing secret'],
    [400, 'Could not verify signature', 'Signing secret'],
    [400, 'Missing webhook-signature header', 'Signing secret'],
    [400, 'Webhook verification failed', 'Signing secret'],
    [400, '{"error":"signature verification error"}', 'Signing secret'],
    // Buyers that decline a lead, and accounts that are full or empty; Azure, Supabase.
    [400, '{"status":"rejected","reason":"Zip code not in coverage area"}', 'declined this lead'],
    [422, '{"error":"Lead rejected: no buyer"}', 'declined this lead'],
    [400, '{"message":"Lead declined"}', 'declined this lead'],
    [422, '{"error":"State not accepted"}', 'declined this lead'],
    [400, '{"status":"Unmatched","price":0}', 'declined this lead'],
    [422, '{"msg":"We are not licensed in this state"}', 'declined this lead'],
    [
      403,
      '{"message":"Out of call volume quota. Quota will be replenished in 12:00:00."}',
      'its limit is used up',
    ],
    [403, '{"error":"Contact limit reached"}', 'its limit is used up'],
    [400, 'You have reached your contact limit', 'its limit is used up'],
    [403, '{"message":"Insufficient funds"}', 'no credit left'],
    [402, '{"error":"Insufficient credits"}', 'no credit left'],
    [540, '{"message":"Project paused"}', 'is switched off or gone'],
    [403, '{"error":"Your plan does not include this feature"}', 'Renew it there'],
    [403, 'Too many requests', 'its limit is used up'],
    [404, '{"errorMessage":"Person not found."}', 'Check the ids in Endpoint URL and Payload Template'],
    [400, '{"error":"email is missing"}', 'did not accept the request. Its answer may say why'],
    // And what says nothing of the kind.
    [404, 'The requested URL /list was not found on this server.', 'nothing answers at this address'],
    [422, '{"errors":{"signature":["Signature is not an image"]}}', 'Check Payload Template'],
    [400, '{"error":"no match for phone pattern"}', 'Check Payload Format'],
    [422, '{"errors":[{"message":"state not allowed to be empty"}]}', 'Check Payload Template'],
    [422, '{"result":"rejected","errors":["phone is missing"]}', 'Check Payload Template'],
    [422, '{"error":"rejected_reason is missing"}', 'Check Payload Template'],
    [422, '{"error":"state: not a valid choice"}', 'Check Payload Template'],
    [400, '{"error":"date of birth is over the limit"}', 'Check Payload Format'],
    [422, '{"error":"Invalid IP address"}', 'Check Payload Template'],
    [404, '{"message":"no Route matched with those values"}', 'Check Endpoint URL'],
    [404, 'Page not found', 'nothing answers at this address'],
    [403, '<Code>SignatureDoesNotMatch</Code>', 'Check Custom Headers'],
    [400, '{"errors":{"key":["Missing key: email"]}}', 'Check Payload Format'],
    [400, "Invalid token 'u' in JSON at position 3", 'Check Payload Format'],
    [400, '{"api_key":"***","error":"phone is missing"}', 'Check Payload Format'],
    [422, '{"error":"signature is required for consent"}', 'Check Payload Template'],
    [422, '{"error":"Unauthorized state"}', 'Check Payload Template'],
    [422, '{"error":"consent_url must use https"}', 'Check Payload Template'],
    [400, '{"error":"lead timestamp is too old"}', 'Check Payload Format'],
    [530, 'error code: 1099', 'an error of its own'],
    [400, '{"error":"phone is missing"}', 'Check Payload Format'],
    [403, '{"message":"Forbidden"}', 'Check Custom Headers'],
    [400, '{"error":"name: character limit exceeded"}', 'Check Payload Format'],
    [503, '<h1>503 ERROR</h1> Generated by cloudfront (CloudFront)', 'is not available right now'],
    [403, '<meta name="csrf-token" content="x"><h1>Forbidden</h1>', 'Check Custom Headers'],
    [404, '<h1>404 Not Found</h1>', 'Check Endpoint URL'],
    [400, '{"error":"webhook secret is not active"}', 'Check Payload Format'],
    [400, '{"error":"this flow is off limits"}', 'Check Payload Format'],
    [400, '{"error":"function call off"}', 'Check Payload Format'],
    [400, '{"active":false,"error":"phone is missing"}', 'Check Payload Format'],
    [503, 'upstream connect error', 'is not available right now'],
  ])('a %i with %j is told as: %s', (status, body, words) => {
    expect(told(status, body)).toMatch(new RegExp(`^${status}: \\w.+\\.$`))
    expect(told(status, body)).toContain(words)
  })

  it('a 410 of a scenario that is off switches the webhook off, and says which of the two to switch on', () => {
    const body = 'There is no scenario listening for this webhook.'
    const ruled = { successRule: null, capturePath: null, body, bodyTruncated: false }
    const message = told(410, body)
    expect(message).toMatch(/^410: .+switched off or gone\..+This webhook was switched off, too/)
    expect(readAnswer({ kind: 'answer', status: 410, headers: {} }, now, ruled)).toMatchObject({
      errorClass: 'gone',
      disable: message,
    })
    expect(told(410, '')).toContain('says it is gone for good')
  })
})
