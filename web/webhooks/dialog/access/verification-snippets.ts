export type VerificationSnippet = { id: string; label: string; code: string }

/** Shown in place of the secret until the person asks to see it. */
export const MASKED_SECRET = 'whsec_••••••••••••••••••••••••••••••••'

/** How a receiver checks `webhook-signature` (Standard Webhooks: HMAC-SHA256 over `id.timestamp.body`). */
export function writeVerificationSnippets(secret: string): readonly VerificationSnippet[] {
  return [
    { id: 'node', label: 'Node', code: nodeSnippet(secret) },
    { id: 'python', label: 'Python', code: pythonSnippet(secret) },
    { id: 'php', label: 'PHP', code: phpSnippet(secret) },
    { id: 'openssl', label: 'OpenSSL', code: opensslSnippet(secret) },
  ]
}

const nodeSnippet = (secret: string) => `// npm install standardwebhooks express
import express from 'express'
import { Webhook } from 'standardwebhooks'

const webhook = new Webhook('${secret}')

express()
  .post('/webhooks', express.raw({ type: '*/*' }), (request, response) => {
    try {
      // the raw bytes, before any parsing; the body may be JSON or form data
      webhook.verify(request.body, request.headers, { jsonParse: false })
    } catch {
      return response.sendStatus(401)
    }
    response.sendStatus(204)
  })
  .listen(8080)`

const pythonSnippet = (secret: string) => `import base64, hashlib, hmac, time

KEY = base64.b64decode("${secret}".removeprefix("whsec_"))

def is_genuine(headers, body: bytes) -> bool:
    timestamp = headers["webhook-timestamp"]
    signed = f"{headers['webhook-id']}.{timestamp}.".encode() + body
    digest = hmac.new(KEY, signed, hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(digest).decode()
    given = headers["webhook-signature"].split(" ")
    fresh = abs(time.time() - int(timestamp)) <= 300
    return fresh and any(hmac.compare_digest(expected, one) for one in given)`

const phpSnippet = (secret: string) => `<?php
$body = file_get_contents('php://input');
$id = $_SERVER['HTTP_WEBHOOK_ID'];
$timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'];
$key = base64_decode(substr('${secret}', strlen('whsec_')));
$expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));

$matches = array_filter(
    explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE']),
    fn ($given) => hash_equals($expected, $given),
);
if ($matches === [] || abs(time() - (int) $timestamp) > 300) {
    http_response_code(401);
    exit;
}
http_response_code(204);`

const opensslSnippet = (
  secret: string,
) => `# body.json holds the exact bytes; the two others are headers of the request
WEBHOOK_ID='the webhook-id header'
WEBHOOK_TIMESTAMP='the webhook-timestamp header'
KEY=$(printf %s '${secret}' | sed 's/^whsec_//' | base64 -d | od -An -v -tx1 | tr -d ' \\n')

# prints what must stand after "v1," in webhook-signature
{ printf '%s.%s.' "$WEBHOOK_ID" "$WEBHOOK_TIMESTAMP"; cat body.json; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | base64`
