export const LONG_HEADERS = 'your endpoint says that the headers are too large. Shorten Custom Headers.'
const OTHER_METHOD =
  'your endpoint does not accept this method here. Let it accept POST, or check Endpoint URL and HTTP Method.'
export const CLOUDFLARE_ACCESS =
  'Cloudflare Access stands before your endpoint and asks a person to sign in. Make a service token there, and put its CF-Access-Client-Id and CF-Access-Client-Secret in Custom Headers.'
const SPEAKS_TLS =
  'your endpoint speaks TLS on this port. Let Endpoint URL begin with https://. If it does, the proxy before your endpoint has to speak TLS to it.'
const OTHER_ADDRESS = 'your endpoint does not accept this address. Check Endpoint URL.'
const OTHER_HOST =
  'your endpoint does not accept requests for its host name. Add the name to the hosts that it allows, or check Endpoint URL.'
const OFF =
  'the scenario, workflow or program at this address is switched off or gone. Switch it on there, or put its new address in Endpoint URL.'
const CSRF =
  'your endpoint demands a CSRF token, which a webhook does not have. Exempt this address from that check, or put one that programs may use in Endpoint URL.'
export const FIREWALL =
  'a firewall before your endpoint blocked the request. Let it allow this address, or requests with one of your Custom Headers.'
const DUPLICATE =
  'your endpoint may have this lead already; its answer says more. If so, let it accept duplicates, or answer 200 to them.'

const SERVER = [400, 403]
const OFF_AT = [400, 403, 404, 410]
const REFUSED = [400, 409, 412, 422]
const UNSIGNED = [400, 401, 403, 422]

/**
 * Statuses, the words that web servers and products send with them, and the cause that they mean. The first that fits
 * counts. The table has only words that hardly mean anything else, because a wrong cause is worse than a general
 * sentence, which sends its reader to the answer. Only the words for duplicates may mean something else, so their cause
 * is given as a possibility.
 */
const CAUSES: readonly (readonly [readonly number[], RegExp, string])[] = [
  [
    SERVER,
    /no required ssl certificate/i,
    'your endpoint asks for a client certificate. Add one under Certificates.',
  ],
  [
    SERVER,
    /the ssl certificate error/i,
    'your endpoint did not accept the client certificate. Check Certificates.',
  ],
  [SERVER, /plain http request was sent to https|speaking plain http to an ssl-enabled/i, SPEAKS_TLS],
  [SERVER, /sent an http request to an https server|host and port requires tls/i, SPEAKS_TLS],
  [SERVER, /request header or cookie too large|size of a request header field exceeds/i, LONG_HEADERS],
  [SERVER, /size of the request headers is too long|request header is too large/i, LONG_HEADERS],
  [SERVER, /bad request - invalid url|invalid character found in the request target/i, OTHER_ADDRESS],
  // IIS, Django, Starlette, webpack and Symfony; Rails, Vite and Nextcloud.
  [
    SERVER,
    /invalid hostname<|disallowedhost|invalid http_host header|(?:^|>)\s*invalid host\b|untrusted host "/i,
    OTHER_HOST,
  ],
  [SERVER, /blocked hosts?: |this host \(.{1,100}\) is not allowed|through untrusted domain/i, OTHER_HOST],
  [[500, 503], /fastly error: unknown domain/i, OTHER_HOST],
  [
    [403, 409, 530],
    /^\s*error code: 10(?:0[0-4]|14|16|18|23|34)\s*$|origin dns error/i,
    'Cloudflare has no server for the host name in Endpoint URL. Check its DNS records there, or Endpoint URL.',
  ],
  // IIS 403.4
  [
    [403],
    /secured with secure sockets layer/i,
    'your endpoint takes requests by HTTPS alone. Let Endpoint URL begin with https://. If it does, the proxy before your endpoint has to tell it so.',
  ],
  [
    SERVER,
    /<h1>bad request \(400\)<\/h1>/i,
    'Django refused the request. Look into its log. Where your program has not seen it, ALLOWED_HOSTS may lack the host name of Endpoint URL.',
  ],
  // Amazon's API Gateway answers so for any address that it does not know.
  [
    SERVER,
    /^\s*\{"message":\s*"missing authentication token"\}/i,
    'your endpoint has no such address or method, or wants other credentials. Check Endpoint URL and HTTP Method, then Authentication.',
  ],
  [SERVER, /distribution is not configured to allow the http request method/i, OTHER_METHOD],
  // Salesforce, Google and Azure; then Make's queue while a scenario is stopped.
  [
    [403],
    /request_limit_exceeded|"quotaexceeded"|out of call volume quota/i,
    'your endpoint says that its limit is used up. Raise it, or wait until it is counted anew.',
  ],
  [
    SERVER,
    /^\s*queue is full/i,
    'your endpoint says that its queue is full. Check that the program, or the scenario, that empties it runs.',
  ],
  // n8n
  [[404], /webhook is not registered for \w+ requests/i, OTHER_METHOD],
  [
    [404],
    /requested webhook .{1,300} is not registered/i,
    'n8n has no active workflow at this address, or it is the address for tests. Activate the workflow, and put its production URL in Endpoint URL.',
  ],
  [
    [404, 530],
    /err_ngrok_3200|error (?:code: )?1033|cloudflare tunnel error/i,
    'the tunnel to your endpoint is not open. Start the tunnel and the program behind it, or put its new address in Endpoint URL.',
  ],
  // Make, Power Automate and Azure.
  [
    OFF_AT,
    /no scenario listening for this webhook|workflowtriggerisnotenabled|workflowdisabled|this web app is stopped/i,
    OFF,
  ],
  [
    [401],
    /you sent an invalid key|directapiauthorizationrequired/i,
    'your endpoint does not accept the key in its address, or misses one there. Check Endpoint URL.',
  ],
  // The libraries of Standard Webhooks, Svix and Stripe.
  [
    UNSIGNED,
    /message timestamp too (?:new|old)|timestamp outside the tolerance zone/i,
    'your endpoint finds the time of the signature too far from its own. Set its clock right.',
  ],
  [
    UNSIGNED,
    /no signatures found matching the expected signature|no matching signature found/i,
    'your endpoint did not accept the signature. Compare its secret with Signing secret under Edit, and let it check the body exactly as it came.',
  ],
  [[403], /cloudflare access/i, CLOUDFLARE_ACCESS],
  [[403], /errors(?:\.|&#46;)edgesuite/i, FIREWALL],
  [
    [403, 406, 429, 503],
    /attention required! \| cloudflare|<title>just a moment\.\.\.|used cloudflare to restrict|request blocked\.[^]{0,300}cloudfront|>\s*the request is blocked\.|block access from your country|vercel security checkpoint|azure-application-gateway|generated by wordfence|website firewall(?! - not configured)|mod_security|forbidden by administrative rules|requested url was rejected/i,
    FIREWALL,
  ],
  // With 503 Cloudflare says that it cannot reach the site.
  [[403, 406, 429], /incapsula incident/i, FIREWALL],
  // Cloudflare's; with 429 only the one from its owner's own rules.
  [[403, 406, 503], /^\s*error code: 10\d\d\s*$/i, FIREWALL],
  [[429], /^\s*error code: 1015\s*$/i, FIREWALL],
  [
    [400, 403, 422],
    /csrf verification failed|csrf token (?:is )?(?:mismatch|missing|invalid|required|validation failed)|(?:bad|invalid) csrf token|csrf cookie not set|csrf token authenticity|invalidauthenticitytoken/i,
    CSRF,
  ],
  // Laravel's own status.
  [[419], /^\s*$|csrf|page expired/i, CSRF],
  // GoHighLevel, Salesforce, Mailchimp, HubSpot, Rails, Laravel, Symfony and others.
  [
    REFUSED,
    /already[ _]?(?:be(?:en|ing) )?(?:associated|belongs|exists?|in (?:crm|database|list|our|system|the|this|use|your)\b|received|registered(?! (?:on|in|with) )|submitted|subscribed|taken|used)(?!\w*\\?"\s*:\s*"?(?:0|false|n))|already ha(?:s|ve) (?:this|that) |been used already|member exists|contact_exists/i,
    DUPLICATE,
  ],
  [
    REFUSED,
    /(?:must|should|to|it) be (?:a )?unique|make a unique set|is not unique|uniqueness_conflict/i,
    DUPLICATE,
  ],
  [
    REFUSED,
    /duplicates?_(?:detected|data|parameter|profile|value)(?!"\s*:)|duplicated?[ _]?(?:contact|customer|e-?mail|entry|lead|person|phone|record|submission|user)(?!\w{0,40}"\s*:)/i,
    DUPLICATE,
  ],
  [
    REFUSED,
    /[">]duplicated?["<](?!\s*:)|^\W*duplicated?\W*$|\b(?:as|is a?|known|possible|potential) ?duplicate\b(?!\\?"\s*:)|\bdupe\b(?! check|"\s*:)|(?<!\bno )duplicate (?:found|detected)|no duplicates(?! (?:detected|found|were))|"(?:is_?)?duplicated?"\s*:\s*"?(?:true|yes|1)\b/i,
    DUPLICATE,
  ],
  // Databases, through programs that pass their words on. Hibernate gives only the constraint's name.
  [
    [...REFUSED, 500],
    /duplicate key value|duplicate entry|e11000|"code":\s*11000\b|insert duplicate key|unique(?: key)? constraint|unique ?violation|unique index or primary key|constraint \[[\w.]{0,60}(?:uk_|uq_|unique|_key\])/i,
    DUPLICATE,
  ],
]

/** The cause in an answer's words, if they tell more than its status; the table above has the known products. */
export function explainWords(status: number, body: string): string | undefined {
  return CAUSES.find(([statuses, words]) => statuses.includes(status) && words.test(body))?.[2]
}
