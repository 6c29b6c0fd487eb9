/**
 * Policy of accounts on one's own machine: the demo administrator can call everything without setting up a second factor first,
 * and a developer's scripts, which all come from one address, are not mistaken for an attack.
 */
export const DEMO_ACCOUNTS = {
  AUTH_ADMIN_MFA: '0',
  AUTH_RATE_OTP: '1000',
  AUTH_RATE_TOKEN: '5000',
  AUTH_RATE_VERIFY: '1000',
  AUTH_RATE_MFA: '300',
  // Mails go to the mailbox of this machine; what one network may have of them is a quarter.
  AUTH_RATE_MAIL: '20000',
  AUTH_RATE_SMS: '400',
  AUTH_RATE_ANONYMOUS: '1000',
  AUTH_RATE_GAP_SECONDS: '1',
}
