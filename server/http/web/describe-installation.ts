import type { Config } from '#core/config/config.ts'
import type { Installation } from '#core/domain/site/legal-words.ts'

const CAPTCHAS = { hcaptcha: 'hCaptcha', turnstile: 'Cloudflare Turnstile' } as const

/** Gathers what the running configuration says about the operator, its periods and its processors. No secret is in it. */
export function describeInstallation(config: Config): Installation {
  const { auth, contact, files, imports, logs, mail, operator, payments, retention } = config
  return {
    operator,
    kept: {
      attempts: logs.keepDays,
      bodies: logs.keepBodiesDays,
      import_rows: imports.keepDays,
      messages: contact.keepDays,
      sold_leads: retention.soldLeadDays,
      unsold_leads: retention.unsoldLeadDays,
      decisions: retention.decisionDays,
      audit: retention.auditDays,
    },
    processors: { mail: hostOf(mail.smtpUrl), files: hostOf(files.s3?.endpoint) },
    payments: payments === undefined ? undefined : 'Stripe',
    captcha: auth.captcha === undefined ? undefined : CAPTCHAS[auth.captcha.provider],
    sms: auth.sms === undefined ? undefined : auth.sms.provider,
  }
}

function hostOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : URL.parse(url)?.hostname
}
