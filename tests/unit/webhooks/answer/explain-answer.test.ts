import { describe, expect, it } from 'vitest'
import { readAnswer } from '#core/domain/webhooks/answer/read-answer.ts'

const now = new Date('2026-01-31T12:00:00Z')
const told = (status: number, body: string): string => {
  const ruled = { successRule: null, capturePath: null, body, bodyTruncated: false }
  const verdict = readAnswer({ kind: 'answer', status, headers: {} }, now, ruled)
  return verdict.state === 'failed' ? verdict.message : verdict.state
}

describe('an answer whose text names the cause', () => {
  it.each([
    // Answers of web servers, before the program behind them.
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
    [
      400,
      '<center>The plain HTTP request was sent to HTTPS port</center>',
      'begin with https://. If it does, the proxy before your endpoint has to speak TLS to it.',
    ],
    [400, 'You’re speaking plain HTTP to an SSL-enabled server port.<br />', 'begin with https://'],
    [400, 'Client sent an HTTP request to an HTTPS server.\n', 'begin with https://'],
    [400, 'This combination of host and port requires TLS.', 'begin with https://'],
    // Wrong host names: IIS, Django with and without DEBUG, Starlette, Rails, Vite.
    [400, '<h2>Bad Request - Invalid Hostname</h2>', 'does not accept requests for its host name'],
    [
      400,
      "<title>DisallowedHost at /hook</title> Invalid HTTP_HOST header: 'crm.example.com'. You may need to add 'crm.example.com' to ALLOWED_HOSTS.",
      'does not accept requests for its host name',
    ],
    [400, '<h1>Bad Request (400)</h1><p></p>', 'Django refused the request. Look into its log'],
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
    // Amazon, Salesforce and Google.
    [
      403,
      '[{"message":"TotalRequests Limit exceeded.","errorCode":"REQUEST_LIMIT_EXCEEDED"}]',
      'its limit is used up',
    ],
    [403, '{"message":"Missing Authentication Token"}', 'has no such address or method'],
    [
      403,
      'This distribution is not configured to allow the HTTP request method that was used for this request.',
      'does not accept this method here. Let it accept POST',
    ],
    [403, '{"error":{"errors":[{"reason":"quotaExceeded"}]}}', 'its limit is used up'],
    // Make, n8n, Power Automate, Azure, ngrok: the receiving workflow or tunnel is off.
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
      'does not accept this method here. Let it accept POST',
    ],
    [
      400,
      '{"error":{"code":"WorkflowTriggerIsNotEnabled","message":"Could not execute workflow"}}',
      'is switched off or gone',
    ],
    [403, '<h1>Error 403 - This web app is stopped.</h1>', 'is switched off or gone'],
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
    // Signatures refused by the libraries of Stripe, Svix and Standard Webhooks; http instead of https.
    [
      400,
      'Webhook Error: No signatures found matching the expected signature for payload.',
      'Signing secret',
    ],
    [400, 'No matching signature found', 'Signing secret'],
    [400, 'Message timestamp too old', 'Set its clock'],
    [401, 'Timestamp outside the tolerance zone (1769860800)', 'Set its clock'],
    [
      403,
      '<h3>The page you are trying to access is secured with Secure Sockets Layer (SSL).</h3>',
      'begin with https://',
    ],
    // Cloudflare and Fastly without a server for the name; firewalls of Azure, Vercel and Akamai.
    [530, 'error code: 1016', 'DNS records'],
    [530, '<title>Origin DNS error | crm.example.com | Cloudflare</title>', 'DNS records'],
    [409, 'error code: 1001', 'DNS records'],
    [403, 'error code: 1003', 'DNS records'],
    [500, 'Fastly error: unknown domain: crm.example.com.', 'does not accept requests for its host name'],
    [403, '<title>Microsoft</title></head><body>The request is blocked.', 'a firewall'],
    [429, '<title>Vercel Security Checkpoint</title>', 'a firewall'],
    [403, 'https&#58;&#47;&#47;errors&#46;edgesuite&#46;net&#47;18', 'a firewall'],
    [403, '<center>Microsoft-Azure-Application-Gateway/v2</center>', 'a firewall'],
    // Country blocks, and servers that take no leads.
    [
      403,
      'The Amazon CloudFront distribution is configured to block access from your country.',
      'a firewall before your endpoint',
    ],
    // Programs use any status for their own reasons.
    [401, '{"errors":[{"message":"Maximum credits exceeded"}]}', 'does not let us in. If its answer'],
    [405, '{"detail":"Method Not Allowed"}', 'Check Endpoint URL and HTTP Method if its answer'],
    [429, 'error code: 1027', 'or its limit is used up'],
    [429, 'error code: 1015', 'a firewall'],
    [500, '{"errors":["Path `phone` is required"]}', 'Look into its log if its answer does not say why.'],
    [
      504,
      'CloudFront: the origin closed the connection',
      'If its answer does not say why, let it answer first',
    ],
    [509, '<h1>Bandwidth Limit Exceeded</h1>', 'if its answer does not say why'],
    [503, '<iframe>Request unsuccessful. Incapsula incident ID: 1 edet=20</iframe>', 'is not available'],
    [403, '<iframe>Request unsuccessful. Incapsula incident ID: 1</iframe>', 'a firewall'],
    [403, '<title>Sucuri WebSite Firewall - Not Configured</title>', 'refused access'],
    [422, '{"error":"INSUFFICIENT_BALANCE"}', 'if its answer does not say why'],
    [530, '<title>Cloudflare Tunnel error | crm.example.com</title>', 'Start the tunnel'],
    [501, '{"error":"Contact email is not configured"}', 'if its answer does not say why'],
    [502, '{"error":"Failed to save lead"}', 'your endpoint, or a gateway before it, had no valid answer'],
    [
      504,
      '{"error":"Request to Zoho CRM timed out"}',
      'your endpoint, or a gateway before it, waited too long',
    ],
    [501, "<p>Message: Unsupported method ('POST').</p>", 'Check HTTP Method'],
    // Azure's limit.
    [
      403,
      '{"message":"Out of call volume quota. Quota will be replenished in 12:00:00."}',
      'its limit is used up',
    ],
    [403, 'CSRF token validation failed', 'demands a CSRF token'],
    [403, '<title>Access Denied - GoDaddy Website Firewall</title>', 'a firewall before your endpoint'],
    [
      400,
      '{"error":"email is missing"}',
      'did not accept the request. Check Payload Format and Payload Template if its answer does not say why.',
    ],
    // Answers that say nothing of the kind.
    [404, 'The requested URL /list was not found on this server.', 'found nothing for this request'],
    [422, '{"errors":{"signature":["Signature is not an image"]}}', 'Check Payload Template'],
    [400, '{"error":"no match for phone pattern"}', 'Check Payload Format'],
    [422, '{"errors":[{"message":"state not allowed to be empty"}]}', 'Check Payload Template'],
    [422, '{"result":"rejected","errors":["phone is missing"]}', 'Check Payload Template'],
    [422, '{"error":"rejected_reason is missing"}', 'Check Payload Template'],
    [422, '{"error":"state: not a valid choice"}', 'Check Payload Template'],
    [400, '{"error":"date of birth is over the limit"}', 'Check Payload Format'],
    [422, '{"error":"Invalid IP address"}', 'Check Payload Template'],
    [404, '{"message":"no Route matched with those values"}', 'Check Endpoint URL'],
    [404, 'Page not found', 'found nothing for this request'],
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
    // Other causes whose texts contain the words above.
    [409, 'Error code: 1002 - Lead is too old', 'refused the request. Its answer may say why'],
    [503, 'Error Code: 1040. Too many connections', 'is not available right now'],
    [403, '{"error":"the request is blocked by CORS policy"}', 'Check Custom Headers'],
    [400, '{"landing_page_url":"untrusted host"}', 'Check Payload Format'],
    [403, 'Client host not allowed', 'Check Custom Headers'],
    [422, 'could not verify the token authenticity of the certificate', 'Check Payload Template if'],
    [400, 'Could not verify that this email exists', 'Check Payload Format'],
    [400, 'No campaign with that id exists in our system', 'Check Payload Format'],
    [422, 'Phone already registered with the National Do Not Call registry', 'Check Payload Template if'],
    [419, '{"error":"jwt expired"}', 'refused the request. Its answer may say why'],
    [503, 'DNS failure. Reference https://errors.edgesuite.net/11', 'is not available right now'],
    [404, '<h1>Object not found!</h1><p>The requested URL was not found</p>', 'Check Endpoint URL if'],
    [404, '<h1>Contact page not found</h1>', 'Check Endpoint URL if'],
    [422, '{"errors":["Comments exceeded the character limit"]}', 'Check Payload Template if'],
    [400, 'The value has exceeded the maximum limit', 'Check Payload Format'],
    [400, '{"error":"No record exists with id 12"}', 'Check Payload Format'],
    [400, '{"error":"No campaign exists in our system"}', 'Check Payload Format'],
    [422, '{"error":"Zip code does not exists in our database"}', 'Check Payload Template if'],
    [400, '{"email_exists":false,"error":"phone invalid"}', 'Check Payload Format'],
    [422, '{"dedupe":"No duplicates found","error":"phone invalid"}', 'Check Payload Template if'],
    [400, '{"check":"No duplicate found","error":"zip invalid"}', 'Check Payload Format'],
    [400, '{"possibleDuplicate":false,"error":"phone invalid"}', 'Check Payload Format'],
    [400, '{"already_exists":false,"error":"phone invalid"}', 'Check Payload Format'],
    [422, '{"allow_duplicate":true,"error":"phone invalid"}', 'Check Payload Template if'],
    [400, '{"log":["Dupe check passed","zip invalid"]}', 'Check Payload Format'],
    [400, 'Request size limit exceeded', 'Check Payload Format'],
    [422, '{"errors":{"universal_leadid":"Invalid token"}}', 'Check Payload Template if'],
    [422, '{"message":"ip is not allowed to be empty"}', 'Check Payload Template if'],
    [422, '{"error":"Applicant exceeded the age limit"}', 'Check Payload Template if'],
    [400, '{"error":"Applicant is already in foreclosure"}', 'Check Payload Format'],
    [404, '{"error":"Lead endpoint not found"}', 'Check Endpoint URL if'],
    [422, '{"error":"Phone is already registered on the Do Not Call list"}', 'Check Payload Template if'],
    [400, 'Invalid security token. Please refresh the page and try again.', 'Check Payload Format'],
    [400, '{"error":"SMTP authentication failed"}', 'Check Payload Format'],
    [400, '{"error":"Driver license is suspended"}', 'Check Payload Format'],
    [422, '{"error":{"allowed":["accepted","declined"]}}', 'Check Payload Template if'],
    [422, String.raw`{"error":"must be one of \"Geico\", \"No coverage\""}`, 'Check Payload Template if'],
    [502, '{"message": "Internal server error"}', 'had no valid answer from what is behind it'],
  ])('a %i with %j is explained as: %s', (status, body, words) => {
    expect(told(status, body)).toMatch(new RegExp(`^${status}: \\w.+\\.$`))
    expect(told(status, body)).toContain(words)
  })

  it('with 410 from a scenario that is off switches the webhook off, and names the one to switch on', () => {
    const body = 'There is no scenario listening for this webhook.'
    const ruled = { successRule: null, capturePath: null, body, bodyTruncated: false }
    const message = told(410, body)
    expect(message).toMatch(/^410: .+switched off or gone\..+This webhook was switched off, too/)
    expect(readAnswer({ kind: 'answer', status: 410, headers: {} }, now, ruled)).toMatchObject({
      errorClass: 'gone',
      disable: message,
    })
    expect(told(410, '')).toContain('says it is gone')
  })
})
