import { z } from 'zod'
import { providers, type ProviderSettings } from './provider-variables.ts'
import { signingKeys } from './signing-key-variables.ts'
import { address, flag, list, oneOf, textOf, wholeNumber } from './value-kinds.ts'

const count = (initial: number, least = 1, most = 1_000_000) => wholeNumber(least, most).default(initial)

const testOtp = list
  .refine((pairs) => pairs.every((pair) => /^\+?\d{5,15}=\d{6,10}$/.test(pair)), {
    error: 'must be phone=code, separated by commas',
  })
  .transform(
    (pairs) =>
      new Map(
        pairs.map((pair): [string, string] => {
          const [phone = '', code = ''] = pair.split('=')
          return [phone.replace(/^\+/, ''), code]
        }),
      ),
  )

/** KiB: the minimum memory for Argon2id with two passes in the OWASP Password Storage Cheat Sheet. */
export const LEAST_PASSWORD_MEMORY_KIB = 19_456

/**
 * Minimum in milliseconds of an answer whose duration would tell whether there is an account. Queueing a mail takes
 * only a small part of it.
 */
export const EVEN_MS = 250

/** The variables of the authentication service, which are part of the one schema (core/config/variables.ts). */
export const authVariables = {
  AUTH_MOUNT_PATH: z
    .string()
    .regex(/^\/([\w.-]+(\/[\w.-]+)*)?$/, 'must be a path like /auth/v1, or /')
    .default('/auth/v1'),
  AUTH_SIGNING_KEYS: signingKeys.optional(),
  AUTH_SIGNUP_DISABLED: flag(false),
  AUTH_EMAIL_ENABLED: flag(true),
  AUTH_PHONE_ENABLED: flag(false),
  AUTH_EMAIL_AUTOCONFIRM: flag(false),
  AUTH_PHONE_AUTOCONFIRM: flag(false),
  AUTH_ANONYMOUS_USERS: flag(false),
  AUTH_MANUAL_LINKING: flag(false),
  AUTH_SECURE_EMAIL_CHANGE: flag(true),
  AUTH_PASSWORD_MIN_LENGTH: count(8, 4, 128),
  AUTH_PASSWORD_RULES: oneOf(['product', 'length']).default('product'),
  AUTH_PASSWORD_REAUTHENTICATION: flag(false),
  AUTH_PASSWORD_CURRENT: flag(false),
  AUTH_PASSWORD_MEMORY_KIB: count(47_104, 1024, 2_097_152),
  AUTH_LEAKED_PASSWORD_CHECK: flag(false),
  AUTH_LEAKED_PASSWORD_URL: address.default('https://api.pwnedpasswords.com'),
  AUTH_JWT_TTL: count(3600, 30, 604_800),
  AUTH_REFRESH_REUSE_SECONDS: count(10, 0, 600),
  AUTH_INACTIVITY_SECONDS: count(1800, 0, 31_536_000),
  AUTH_OTP_TTL: count(3600, 1, 86_400),
  AUTH_EVEN_MS: count(EVEN_MS, 0, 10_000),
  AUTH_TEST_OTP: testOtp.default(new Map()),
  AUTH_REDIRECT_ALLOW_LIST: list.default([]),
  AUTH_PROVIDERS: providers.default({}),
  AUTH_WEB3_SOLANA: flag(false),
  AUTH_WEB3_ETHEREUM: flag(false),
  AUTH_MFA_TOTP: flag(true),
  AUTH_MFA_PHONE: flag(false),
  AUTH_ADMIN_MFA: flag(true),
  AUTH_RATE_OTP: count(30),
  AUTH_RATE_TOKEN: count(150),
  AUTH_RATE_VERIFY: count(30),
  AUTH_RATE_SSO: count(30),
  AUTH_RATE_ANONYMOUS: count(30),
  AUTH_RATE_MFA: count(15),
  AUTH_RATE_EVENTS: count(120),
  AUTH_RATE_MAIL: count(1000),
  AUTH_RATE_SMS: count(100),
  AUTH_RATE_GAP_SECONDS: count(60, 0, 3600),
  AUTH_CAPTCHA_PROVIDER: oneOf(['hcaptcha', 'turnstile']).optional(),
  AUTH_CAPTCHA_SECRET: textOf(1).optional(),
  AUTH_CAPTCHA_URL: address.optional(),
  AUTH_CAPTCHA_SITE_KEY: textOf(1).optional(),
  AUTH_CAPTCHA_SCRIPT_URL: address.optional(),
  AUTH_SMS_PROVIDER: oneOf(['twilio']).optional(),
  AUTH_SMS_ACCOUNT: textOf(1).optional(),
  AUTH_SMS_TOKEN: textOf(1).optional(),
  AUTH_SMS_FROM: textOf(1).optional(),
  AUTH_SMS_URL: address.default('https://api.twilio.com'),
}

type AuthEnvironment = z.infer<z.ZodObject<typeof authVariables>>

/** The policy of accounts, grouped by concern. */
export function groupAuth(env: AuthEnvironment) {
  const { AUTH_CAPTCHA_PROVIDER: captcha, AUTH_CAPTCHA_SECRET: captchaSecret } = env
  return {
    /** without a slash at its end; empty if the service is at the root */
    mountPath: env.AUTH_MOUNT_PATH.replace(/\/$/, ''),
    /** undefined if JWT_PRIVATE_JWK is the only key */
    signingKeys: env.AUTH_SIGNING_KEYS,
    isSignupDisabled: env.AUTH_SIGNUP_DISABLED,
    email: { isEnabled: env.AUTH_EMAIL_ENABLED, autoconfirm: env.AUTH_EMAIL_AUTOCONFIRM },
    phone: { isEnabled: env.AUTH_PHONE_ENABLED, autoconfirm: env.AUTH_PHONE_AUTOCONFIRM },
    anonymousUsers: env.AUTH_ANONYMOUS_USERS,
    manualLinking: env.AUTH_MANUAL_LINKING,
    /** whether both addresses confirm a change */
    secureEmailChange: env.AUTH_SECURE_EMAIL_CHANGE,
    password: {
      minLength: env.AUTH_PASSWORD_MIN_LENGTH,
      /** product: all rules of docs/product.md §5 */
      rules: env.AUTH_PASSWORD_RULES,
      /** whether a nonce is needed once the session is older than a day */
      needsReauthentication: env.AUTH_PASSWORD_REAUTHENTICATION,
      /** whether a session that began with a password must give it again to change it */
      needsCurrent: env.AUTH_PASSWORD_CURRENT,
      /**
       * for new Argon2id hashes: about 100 ms of one core by default, twice the minimum of the OWASP Password Storage
       * Cheat Sheet (docs/decisions/0017-password-hashing.md)
       */
      hashCost: { memory: env.AUTH_PASSWORD_MEMORY_KIB, passes: 2, parallelism: 1 },
      checkLeaked: env.AUTH_LEAKED_PASSWORD_CHECK,
      leakedUrl: env.AUTH_LEAKED_PASSWORD_URL.replace(/\/$/, ''),
    },
    tokenSeconds: env.AUTH_JWT_TTL,
    refreshReuseSeconds: env.AUTH_REFRESH_REUSE_SECONDS,
    /** 0 means that an inactive session never ends */
    inactivitySeconds: env.AUTH_INACTIVITY_SECONDS,
    otpSeconds: env.AUTH_OTP_TTL,
    /** milliseconds until an answer that would reveal whether there is an account */
    evenMs: env.AUTH_EVEN_MS,
    /** phones (digits only) that get no message and always have this code */
    testOtp: env.AUTH_TEST_OTP,
    redirectAllowList: env.AUTH_REDIRECT_ALLOW_LIST,
    providers: env.AUTH_PROVIDERS as Readonly<Record<string, ProviderSettings>>,
    web3: { solana: env.AUTH_WEB3_SOLANA, ethereum: env.AUTH_WEB3_ETHEREUM },
    mfa: { totp: env.AUTH_MFA_TOTP, phone: env.AUTH_MFA_PHONE, isRequiredOfAdmins: env.AUTH_ADMIN_MFA },
    /** for each caller's address; mails and messages for the whole service */
    rates: {
      otp: env.AUTH_RATE_OTP,
      token: env.AUTH_RATE_TOKEN,
      verify: env.AUTH_RATE_VERIFY,
      sso: env.AUTH_RATE_SSO,
      anonymous: env.AUTH_RATE_ANONYMOUS,
      mfa: env.AUTH_RATE_MFA,
      events: env.AUTH_RATE_EVENTS,
      mail: env.AUTH_RATE_MAIL,
      sms: env.AUTH_RATE_SMS,
    },
    /** seconds between two mails or messages of one kind to one account */
    sendGapSeconds: env.AUTH_RATE_GAP_SECONDS,
    captcha:
      captcha === undefined || captchaSecret === undefined
        ? undefined
        : {
            provider: captcha,
            secret: captchaSecret,
            url: env.AUTH_CAPTCHA_URL,
            /**
             * undefined if the product's own forms show no captcha; then only an operator's own programs can pass it
             */
            siteKey: env.AUTH_CAPTCHA_SITE_KEY,
            scriptUrl: env.AUTH_CAPTCHA_SCRIPT_URL,
          },
    sms: groupSms(env),
  }
}

function groupSms(env: AuthEnvironment) {
  const {
    AUTH_SMS_PROVIDER: provider,
    AUTH_SMS_ACCOUNT: account,
    AUTH_SMS_TOKEN: token,
    AUTH_SMS_FROM: from,
  } = env
  if (provider === undefined || account === undefined || token === undefined || from === undefined)
    return undefined
  return { provider, account, token, from, url: env.AUTH_SMS_URL.replace(/\/$/, '') }
}
