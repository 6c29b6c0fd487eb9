export const LONG_HEADERS = 'your endpoint says that the headers are too large. Shorten Custom Headers.'
export const OTHER_METHOD = 'your endpoint does not accept this method. Check HTTP Method.'
export const CLOUDFLARE_ACCESS =
  'Cloudflare Access stands before your endpoint and asks a person to sign in. Make a service token there, and put its CF-Access-Client-Id and CF-Access-Client-Secret in Custom Headers.'
const SPEAKS_TLS = 'your endpoint speaks TLS on this port. Let Endpoint URL begin with https://.'
const OTHER_ADDRESS = 'your endpoint does not accept this address. Check Endpoint URL.'
const OTHER_HOST =
  'your endpoint does not accept requests for its host name. Add the name to the hosts that it allows, or check Endpoint URL.'
const OFF =
  'the scenario, workflow or program at this address is switched off or gone. Switch it on there, or put its new address in Endpoint URL.'
const ENDED =
  'the account at your endpoint is suspended, has no credit left, or has no plan that covers this. Renew it there.'
const CSRF =
  'your endpoint demands a CSRF token, which only its own pages have. Exempt this address from that check.'
export const FIREWALL =
  'a firewall before your endpoint blocked the request. Let it allow this address, or requests with one of your Custom Headers.'
const DUPLICATE =
  'your endpoint seems to have this lead already. Let it accept duplicates, or answer 200 to them.'

const SIGNATURE =
  'your endpoint did not accept the signature. Compare its secret with Signing secret under Edit, and let it check the body exactly as it came.'
const CREDENTIALS =
  'your endpoint refused the credentials. Check Custom Headers, Authentication, and any key in Endpoint URL or Payload Template.'
const HTTPS_ALONE =
  'your endpoint takes requests by HTTPS alone. Let Endpoint URL begin with https://. If it does, the proxy before your endpoint has to tell it so.'

const SERVER = [400, 403]
// Supabase answers 540 for a project that is paused.
const OFF_AT = [400, 403, 404, 409, 410, 422, 503, 540]
const REFUSED = [400, 409, 412, 422]
const UNSIGNED = [400, 403, 422]
const UNKNOWN = [400, 422]

/** Statuses, words that products and web servers say with them, and the cause that they mean. The first that fits counts. */
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
    /invalid hostname<|disallowedhost|invalid http_host header|(?:^|>)\s*invalid host\b|untrusted host/i,
    OTHER_HOST,
  ],
  [
    SERVER,
    /blocked hosts?: |this host \(.{1,100}\) is not allowed|host not allowed|through untrusted domain/i,
    OTHER_HOST,
  ],
  [[500, 503], /fastly error: unknown domain/i, OTHER_HOST],
  [
    [403, 409, 530],
    /^\s*error code: 10(?:0[0-4]|14|16|18|23|34)\b|origin dns error/i,
    'Cloudflare has no server for the host name in Endpoint URL. Check its DNS records there, or Endpoint URL.',
  ],
  // IIS 403.4, and programs that say so themselves.
  [
    [400, 403, 426],
    /\b(?:https|ssl) (?:is )?required|secured with secure sockets layer|only (?:accessible|available|supported) (?:over|through|via) https|please use https/i,
    HTTPS_ALONE,
  ],
  [
    SERVER,
    /<h1>bad request \(400\)<\/h1>/i,
    'Django refused the request. Look into its log. Where your program has not seen it, ALLOWED_HOSTS may lack the host name of Endpoint URL.',
  ],
  // Amazon's API Gateway says so for any address that it does not know.
  [
    SERVER,
    /^\s*\{"message":\s*"missing authentication token"\}/i,
    'your endpoint has no such address or method, or wants other credentials. Check Endpoint URL and HTTP Method, then Authentication.',
  ],
  [SERVER, /distribution is not configured to allow the http request method/i, OTHER_METHOD],
  // Salesforce, Google and buyers with a cap; then Make's queue while a scenario stands still.
  [
    [400, 403, 409, 422],
    /(?:rate|daily|hourly|weekly|monthly|requests?|api|contacts?|usage|leads?|plan)[ _](?:(?!body|file|length|payload|size)\w{1,20}[ _])?limit[ _](?:has been |is )?(?:exceeded|reached|met)|quota ?exceeded|(?:exceeded|reached) (?:(?:your|its) (?:(?!body|character|file|length|max|payload|size)\w{1,20} )?limit|(?:your|its|the) (?:\w{1,20} )?quota|the (?:api|call|daily|hourly|lead|monthly|rate|request|usage|weekly) limit)|out of call volume quota|too many requests|"limit exceeded"|\bcap (?:has been |is )?(?:exceeded|reached|met|full)/i,
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
    /err_ngrok_3200|error code: 1033/i,
    'the tunnel to your endpoint is not open. Start the tunnel and the program behind it, or put its new address in Endpoint URL.',
  ],
  // Make, Power Automate, Azure, and whoever says it in plain words.
  [OFF_AT, /no scenario listening|workflowtriggerisnotenabled|workflowdisabled/i, OFF],
  [[403, 503], /\b(?:service|site|web app) (?:is |has been )?(?:disabled|stopped|suspended)/i, OFF],
  [
    [400, 401, 402, 403],
    /\b(?:account|(?<!driver['’]?s? )license|plan|subscription|trial) (?:is |has |has been )?(?:cancell?ed|disabled|ended|expired|suspended)|insufficient (?:balance|credits?|funds)|plan does not (?:allow|cover|include|support)|upgrade your plan/i,
    ENDED,
  ],
  [
    OFF_AT,
    /\b(?:automation|campaign|endpoint|flow|form|function|integration|project|recipe|scenario|webhook|workflow|zap)(?: \\?["'“].{1,60}["'”]| #?\d+)?(?: is| has been| was)?(?: currently)? (?:deactivated|disabled|inactive|not (?:active|enabled|published|running)|paused|stopped|suspended|(?:(?<=is |currently )|turned |switched )off\b(?! limits))/i,
    OFF,
  ],
  [
    [401],
    /you sent an invalid key|directapiauthorizationrequired/i,
    'your endpoint does not accept the key in its address, or misses one there. Check Endpoint URL.',
  ],
  // Standard Webhooks, Svix and Stripe; then Google and whoever tells missing credentials by the status of a faulty request.
  [
    [...UNSIGNED, 401],
    /message timestamp too (?:new|old)|timestamp outside (?:of )?(?:the )?(?:allowed )?tolerance/i,
    'your endpoint finds the time of the signature too far from its own. Set its clock right.',
  ],
  [
    UNSIGNED,
    /\b(?:invalid|incorrect|bad|missing|no matching|no valid|verify|verify the)[ _](?:hmac|(?:webhook[- ])?signature)|no signatures found matching|webhook verification failed|(?:hmac|signature)[ _](?:(?:verification|validation|check|is|does|did|was|could)[ _])?(?:failed|error|invalid|incorrect|missing|mismatch|not[ _](?:be[ _]verified|found|match|valid|verified))/i,
    SIGNATURE,
  ],
  [
    UNKNOWN,
    /\b(?:invalid|incorrect|missing|unknown|expired|no|wrong)[ _](?:or \w{1,10} )?(?:required header:? )?(?:x[-_])?(?:(?!security[-_ ]?token)(?:api|access|auth(?:entication|orization)?|bearer|security)[-_ ]?(?:key|token|header|credentials)|credentials)/i,
    CREDENTIALS,
  ],
  [
    UNKNOWN,
    /\b(?!security[-_ ]?token)(?:api|access|auth|bearer|security)[-_ ]?(?:key|token)(?:" ?: ?\[? ?"| )(?:is |was )?(?:not (?:found|provided|valid)|invalid|missing|required|incorrect|expired|unknown|disabled|revoked)|api_key_invalid/i,
    CREDENTIALS,
  ],
  [
    UNKNOWN,
    /[">]unauthori[sz]ed["<]|^\W*unauthori[sz]ed\W*$|(?<!smtp )authentication (?:failed|required)|not authenticated|(?:(?:code|detail|error|message)"\s*:\s*"|>|^\W*)invalid[ _]token(?:["<]|\W*$)/i,
    CREDENTIALS,
  ],
  [
    [...UNKNOWN, 401],
    /\bip(?: address)?(?: [\d.:a-f]{3,45})? (?:is )?not (?:allowed(?! to)|authori[sz]ed|permitted|whitelisted|in (?:our |the )?(?:allow|white)-?list)|\b(?:unauthori[sz]ed|blocked) ip\b|from your ip (?:address )?is (?:blocked|restricted|not)/i,
    'your endpoint does not accept the address that Leadwire sends from. Put that on its allow-list.',
  ],
  [
    [404],
    /(?<![\w/-])(?:account|board|buyer|campaign|channel|contact|form|lead|list|owner|person|pipeline|project|source|user|vendor)[ _](?:(?!api|endpoint|page|path|route|url)\w{1,40}[ _])?(?:(?:was|is|could)[ _])?(?:not[ _](?:be[ _])?found|does not exist)/i,
    'your endpoint does not know something that the request names. Check the ids in Endpoint URL and Payload Template.',
  ],
  [[403], /cloudflare access/i, CLOUDFLARE_ACCESS],
  [
    [403, 406, 429, 503],
    /attention required! \| cloudflare|just a moment\.\.\.|used cloudflare to restrict|^\s*error code: 10\d\d|request blocked\.[^]{0,300}cloudfront|errors(?:\.|&#46;)edgesuite|the request is blocked|block access from your country|vercel security checkpoint|azure-application-gateway|you have been blocked|generated by wordfence|website firewall|incapsula incident|mod_security|forbidden by administrative rules|requested url was rejected/i,
    FIREWALL,
  ],
  [
    [400, 403, 422],
    /csrf verification failed|csrf token (?:is )?(?:mismatch|missing|invalid|required|validation failed)|(?:bad|invalid) csrf token|csrf cookie not set|token authenticity|invalidauthenticitytoken/i,
    CSRF,
  ],
  // Laravel's own status.
  [[419], /^/, CSRF],
  // GoHighLevel, Salesforce, Mailchimp, HubSpot, Rails, Laravel, Symfony and others.
  [
    REFUSED,
    /already[ _]?(?:be(?:en|ing) )?(?:associated|belongs|exists?|in (?:crm|database|list|our|system|the|this|use|your)\b|received|registered(?! on the )|submitted|subscribed|taken|used)(?!\w*\\?"\s*:\s*"?(?:0|false|n))|already ha(?:s|ve) (?:this|that) |been used already|(?<!\bno )(?:contact|email|lead|member|record)[ _]exists(?!\w*\\?"\s*:\s*"?(?:0|false|n))|(?<!\b(?:no|not|\w{1,8}n['’]t) (?:\w{1,20} ){0,2})exists in (?:the|our) /i,
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
  // Databases, through programs that hand their words on. Hibernate tells the constraint's name alone.
  [
    [...REFUSED, 500],
    /duplicate key value|duplicate entry|e11000|"code":\s*11000\b|insert duplicate key|unique(?: key)? constraint|unique ?violation|unique index or primary key|constraint \[[\w.]{0,60}(?:uk_|uq_|unique|_key\])/i,
    DUPLICATE,
  ],
  // Buyers that answer a no in this way.
  [
    [...REFUSED, 403],
    /\blead (?:was |is |has been )?(?:declined|refused|rejected|not accepted)|:\s?"(?:declined|unmatched)"|\bno (?:buyers?|coverage)\b(?!\\")|(?:not in|out of|outside) (?:our |the )?(?:coverage|service) area|\b(?:state|zip(?: ?code)?) (?:is )?not (?:accepted|allowed(?! to)|covered|eligible|licensed|served|supported)|not licensed in|not accepting leads|outside (?:of )?business hours/i,
    'your endpoint declined this lead, and its answer may say why. Leads that it never takes can be left out under Send only what fits.',
  ],
]

/** The cause that an answer's words tell, where they tell more than its status; what is known of products is in the table above. */
export function explainWords(status: number, body: string): string | undefined {
  return CAUSES.find(([statuses, words]) => statuses.includes(status) && words.test(body))?.[2]
}
