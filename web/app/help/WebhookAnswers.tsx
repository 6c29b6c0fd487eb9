import { ENDPOINT_RULE } from '#core/domain/webhooks/endpoint-rule.ts'
import { maxAttempts, USUAL_RETRY_STEPS } from '#core/domain/webhooks/retry-schedule.ts'
import { saySeconds } from '#web/format/say-seconds.ts'
import { PATHS, webhooksPath } from '#web/paths.ts'
import { HelpAnswer, HelpLink } from './HelpAnswer.tsx'

export function WebhookAnswers() {
  return (
    <>
      <HelpAnswer id="connect">
        <p>
          Under <HelpLink to={webhooksPath()}>Integrations</HelpLink>, add a webhook: a name, the address that
          your CRM gives you for incoming leads, and JSON or form data. The advanced options have presets for
          common receivers, headers such as an API key, and a template in which you choose the fields and see
          what will be sent. Press Test Endpoint before you save: it sends one fictional lead, and shows what
          your CRM answered.
        </p>
        <p>
          Then press Run Assignment Test on the <HelpLink to={PATHS.clientIntegrations}>overview</HelpLink>: a
          free test lead goes the whole way.
        </p>
      </HelpAnswer>
      <HelpAnswer id="signatures">
        <p>
          Each carries <code>webhook-id</code>, <code>webhook-timestamp</code> and{' '}
          <code>webhook-signature</code> as Standard Webhooks has them. The signature is <code>v1,</code> and
          the base64 of an HMAC-SHA256 over <code>id.timestamp.body</code>, with the bytes of the body as they
          came. The signing secret and code that checks it stand in the webhook’s dialog under its advanced
          options.
        </p>
        <p>
          Keep the <code>webhook-id</code>: it is the same whenever one event is sent to you again, so drop
          what you have already stored.
        </p>
      </HelpAnswer>
      <HelpAnswer id="retries">
        <p>
          Any answer but a 2xx counts as failed, and so does none. A delivery is then tried again, at most{' '}
          {maxAttempts({ stepSeconds: USUAL_RETRY_STEPS })} times in all: after{' '}
          {USUAL_RETRY_STEPS.map((step) => saySeconds(step)).join(', ')}, unless whoever runs this
          installation has chosen other waits. A longer Retry-After of a 429 or 503 is kept to. A 410 switches
          the webhook off.
        </p>
        <p>
          After {ENDPOINT_RULE.warnAfterFailures} failed attempts in a row you get a mail, and your dashboard
          says so. The log of each webhook shows every attempt with its request and answer; there you resend
          one, or all that failed since a moment. The lead itself stays with you whatever becomes of its
          deliveries.
        </p>
      </HelpAnswer>
    </>
  )
}
