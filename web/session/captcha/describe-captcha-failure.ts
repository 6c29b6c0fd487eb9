const CAPTCHA_FAILED = 'The check that you are human did not pass. Please try again.'

/** What to say where the service did not take the captcha's proof; null where it refused for another reason. */
export function describeCaptchaFailure({ message }: { message: string }) {
  return message.startsWith('captcha protection') ? CAPTCHA_FAILED : null
}
