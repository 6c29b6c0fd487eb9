export interface VerificationSample {
  id: string
  label: string
  code: string
}

/**
 * Code that checks `webhook-signature` (Standard Webhooks: HMAC-SHA256 over `id.timestamp.body`) with only
 * the language's standard library. The secret comes from the environment, so that a copied sample works and
 * contains none.
 */
export const VERIFICATION_SAMPLES: readonly VerificationSample[] = [
  {
    id: 'node',
    label: 'Node',
    code: `import { createHmac, timingSafeEqual } from 'node:crypto'

const KEY = Buffer.from(process.env.WEBHOOK_SECRET.replace(/^whsec_/, ''), 'base64')

// headers: names in lower case; body: the raw bytes, before any parsing
export function isGenuine(headers, body) {
  const timestamp = headers['webhook-timestamp'] ?? ''
  if (!/^\\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false
  const expected = createHmac('sha256', KEY)
    .update(\`\${headers['webhook-id']}.\${timestamp}.\`)
    .update(body)
    .digest()
  return (headers['webhook-signature'] ?? '').split(' ').some((one) => {
    const given = Buffer.from(one.replace(/^v1,/, ''), 'base64')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}`,
  },
  {
    id: 'python',
    label: 'Python',
    code: `import base64, hashlib, hmac, os, re, time

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))

# headers: names in lower case; body: the raw bytes, before any parsing
def is_genuine(headers, body: bytes) -> bool:
    timestamp = headers.get("webhook-timestamp", "")
    if not re.fullmatch("[0-9]{1,12}", timestamp) or abs(time.time() - int(timestamp)) > 300:
        return False
    signed = f"{headers.get('webhook-id')}.{timestamp}.".encode() + body
    digest = hmac.new(KEY, signed, hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(digest).decode()
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(expected, one) for one in given)`,
  },
  {
    id: 'php',
    label: 'PHP',
    code: `<?php
// the raw bytes, before any parsing
$body = file_get_contents('php://input');
$id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
$timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
$key = base64_decode(preg_replace('/^whsec_/', '', getenv('WEBHOOK_SECRET')));
$expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));

$matches = array_filter(
    explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? ''),
    fn ($given) => hash_equals($expected, $given),
);
$isFresh = preg_match('/^\\d{1,12}$/D', $timestamp) && abs(time() - (int) $timestamp) <= 300;
if ($matches === [] || !$isFresh) {
    http_response_code(401);
    exit('signature does not fit');
}
http_response_code(204);`,
  },
  {
    id: 'ruby',
    label: 'Ruby',
    code: `require "base64"
require "openssl"

KEY = Base64.decode64(ENV.fetch("WEBHOOK_SECRET").delete_prefix("whsec_"))

# headers: names in lower case; body: the raw bytes, before any parsing
def genuine?(headers, body)
  timestamp = headers["webhook-timestamp"].to_s
  return false unless timestamp.match?(/\\A\\d{1,12}\\z/) && (Time.now.to_i - timestamp.to_i).abs <= 300

  signed = "#{headers['webhook-id']}.#{timestamp}.#{body}"
  expected = "v1," + Base64.strict_encode64(OpenSSL::HMAC.digest("SHA256", KEY, signed))
  headers["webhook-signature"].to_s.split(" ").any? do |given|
    OpenSSL.secure_compare(given, expected)
  end
end`,
  },
  {
    id: 'go',
    label: 'Go',
    code: `package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

var key, _ = base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("WEBHOOK_SECRET"), "whsec_"))

// body: the raw bytes, before any parsing
func IsGenuine(header http.Header, body []byte) bool {
	timestamp := header.Get("webhook-timestamp")
	sent, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || len(timestamp) > 12 || time.Since(time.Unix(sent, 0)).Abs() > 5*time.Minute {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(header.Get("webhook-id") + "." + timestamp + "."))
	mac.Write(body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, given := range strings.Fields(header.Get("webhook-signature")) {
		if hmac.Equal([]byte(given), []byte(expected)) {
			return true
		}
	}
	return false
}`,
  },
  {
    id: 'java',
    label: 'Java',
    code: `import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

class Webhook {
    static final byte[] KEY =
        Base64.getDecoder().decode(System.getenv("WEBHOOK_SECRET").replaceFirst("^whsec_", ""));

    // headers: names in lower case; body: the raw bytes, before any parsing
    static boolean isGenuine(Map<String, String> headers, byte[] body) throws Exception {
        String timestamp = headers.getOrDefault("webhook-timestamp", "");
        if (!timestamp.matches("\\\\d{1,12}")) return false;
        if (Math.abs(Instant.now().getEpochSecond() - Long.parseLong(timestamp)) > 300) return false;
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(KEY, "HmacSHA256"));
        mac.update((headers.get("webhook-id") + "." + timestamp + ".").getBytes());
        String expected = "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
        for (String given : headers.getOrDefault("webhook-signature", "").split(" ")) {
            if (MessageDigest.isEqual(given.getBytes(), expected.getBytes())) return true;
        }
        return false;
    }
}`,
  },
]
