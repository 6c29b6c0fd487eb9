/**
 * Account policy on one's own machine: the demo administrator can call everything without setting up a second
 * factor first, and a developer's scripts, which share one address, do not count as an attack.
 */
export const DEMO_ACCOUNTS = {
  AUTH_ADMIN_MFA: '0',
  AUTH_RATE_OTP: '1000',
  AUTH_RATE_TOKEN: '5000',
  AUTH_RATE_VERIFY: '1000',
  AUTH_RATE_MFA: '300',
  // Mails go to this machine's mailbox; one network may cause a quarter of this number.
  AUTH_RATE_MAIL: '20000',
  AUTH_RATE_SMS: '400',
  AUTH_RATE_ANONYMOUS: '1000',
  AUTH_RATE_GAP_SECONDS: '1',
}
