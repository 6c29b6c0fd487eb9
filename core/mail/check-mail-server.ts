/** Limit in milliseconds of each step; the operator waits for the answer. */
const PATIENCE_MS = 5000

/**
 * Connects to a mail server and signs in, without sending anything.
 * @param smtpUrl smtp:// or smtps://
 * @throws the server's refusal, or the reason why it cannot be reached; neither holds the password
 */
export async function checkMailServer(smtpUrl: string): Promise<void> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: PATIENCE_MS,
    greetingTimeout: PATIENCE_MS,
    socketTimeout: PATIENCE_MS,
    dnsTimeout: PATIENCE_MS,
  })
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}
