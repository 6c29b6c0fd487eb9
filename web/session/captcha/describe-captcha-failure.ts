const CAPTCHA_FAILED = 'The check that you are human did not pass. Please try again.'

/** Returns a sentence if the service refused the captcha token; null for any other refusal. */
export function describeCaptchaFailure({ code }: { code?: string | undefined }) {
  return code === 'captcha_failed' ? CAPTCHA_FAILED : null
}
