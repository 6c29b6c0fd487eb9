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
          your CRM gives you for incoming leads, and JSON or form data. Start from fills the form in for
          common receivers. The advanced options have headers such as an API key, and a template in which you
          choose the fields and see what will be sent. Press Test Endpoint before you save: it sends one
          fictional lead and shows the answer of your CRM.
        </p>
        <p>
          Then press Run Assignment Test on the <HelpLink to={PATHS.clientIntegrations}>overview</HelpLink>: a
          free test lead goes all the way to your CRM.
        </p>
      </HelpAnswer>
      <HelpAnswer id="signatures">
        <p>
          Each request carries <code>webhook-id</code>, <code>webhook-timestamp</code> and{' '}
          <code>webhook-signature</code> as Standard Webhooks defines them. The signature is <code>v1,</code>{' '}
          and the base64 of an HMAC-SHA256 over <code>id.timestamp.body</code>, with the bytes of the body as
          they came. You find the signing secret and code that checks the signature in the webhook’s dialog,
          under Signing secret.
        </p>
        <p>
          Keep the <code>webhook-id</code>: it is the same when an event is sent to you again, so drop what
          you have already stored.
        </p>
      </HelpAnswer>
      <HelpAnswer id="retries">
        <p>
          Any answer other than a 2xx counts as failed, and so does no answer. The delivery is then tried
          again, at most {maxAttempts({ stepSeconds: USUAL_RETRY_STEPS })} times in all: after{' '}
          {USUAL_RETRY_STEPS.map((step) => saySeconds(step)).join(', ')}, unless the operator of this
          installation has set other waits. A longer Retry-After of a 429 or 503 is obeyed. A 410 switches the
          webhook off.
        </p>
        <p>
          After {ENDPOINT_RULE.warnAfterFailures} failed attempts in a row you get an email, and your
          dashboard says so. The log of each webhook shows every attempt with its request and answer. There
          you can resend one delivery, or all that failed since a certain time. The lead stays yours, whatever
          happens to its deliveries.
        </p>
      </HelpAnswer>
    </>
  )
}
