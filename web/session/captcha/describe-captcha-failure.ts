const CAPTCHA_FAILED = 'The check that you are human did not pass. Please try again.'

/** What to say where the service did not take the captcha's proof; null where it refused for another reason. */
export function describeCaptchaFailure({ code }: { code?: string | undefined }) {
  return code === 'captcha_failed' ? CAPTCHA_FAILED : null
}
