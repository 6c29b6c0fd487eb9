import { expect, it } from 'vitest'
import { loadConfig, type Config } from '#core/config/config.ts'
import { listOperatorGaps } from '#core/config/operator-variables.ts'
import { fillLegalMarks, LEGAL_MARK, sayLegalWords } from '#core/domain/site/legal-words.ts'
import { readPages } from '#scripts/site/read-pages.ts'
import { describeInstallation } from '#server/http/web/describe-installation.ts'

const load = (variables: Record<string, string>): Config =>
  loadConfig({ DATABASE_URL: 'postgres://localhost/leadwire', REDIS_URL: 'redis://localhost', ...variables })
const text = readPages('legal')
  .map(({ markdown }) => markdown)
  .join('\n')
const fill = (variables: Record<string, string>): string =>
  fillLegalMarks(text, sayLegalWords(describeInstallation(load(variables))))

it('fills every mark of the legal pages, and leaves no text in square brackets to be filled in', () => {
  expect([...text.matchAll(LEGAL_MARK)].length).toBeGreaterThan(10)
  expect(fill({}).match(/%[a-z]+:/)).toBeNull()
  expect(text.match(/\[[^\]]+\](?!\()/g)).toBeNull()
})

it('names operator, processors and periods of the running configuration', () => {
  const filled = fill({
    OPERATOR_NAME: 'Fields & Sons <LLC>',
    OPERATOR_ADDRESS: '100 Example Street, Austin, TX 78701',
    OPERATOR_JURISDICTION: 'the State of Texas, USA',
    PRIVACY_EMAIL: 'privacy@example.com',
    LOG_RETENTION_DAYS: '90',
    LEAD_RETENTION_DAYS: '1826',
    UNSOLD_LEAD_RETENTION_DAYS: '90',
    SMTP_URL: 'smtps://user:secret@smtp.eu.mailer.example',
    FILES_S3_ENDPOINT: 'https://10.0.0.7:9000',
    FILES_S3_BUCKET: 'leads',
    FILES_S3_KEY_ID: 'id',
    FILES_S3_SECRET: 'secret-key',
    PAYMENTS_SECRET_KEY: 'sk_test_123',
    PAYMENTS_WEBHOOK_SECRET: 'whsec_0123456789abcdef',
  })

  expect(filled).toContain('Fields &#38; Sons &#60;LLC&#62;, 100 Example Street, Austin, TX 78701 runs this')
  expect(filled).toContain(
    'write to <a href="mailto:privacy@example.com">privacy@example.com</a>, or use [the form]',
  )
  expect(filled).toContain('The law of the State of Texas, USA applies, and its courts decide.')
  expect(filled).toContain(
    'those who run our servers and their database, a server of our own (stored files), mailer.example (email) and Stripe (payments of clients).',
  )
  expect(filled).toContain('| Attempts of delivery, as rows of a log | 90 days |')
  expect(filled).toContain('evidence of consent | 5 years |')
  expect(filled).not.toMatch(/secret-key|user:|sk_test|whsec|10\.0\.0\.7/)
})

it('says honestly that nothing is configured, and names what is missing', () => {
  const filled = fill({})
  expect(filled).toContain('A company that has not published its name and address here runs this')
  expect(filled).toContain('These terms are between the operator of this installation and the business')
  expect(filled).toContain('evidence of consent | until it is erased on request; no period is set |')
  expect(listOperatorGaps(load({}))).toEqual([
    'OPERATOR_NAME',
    'OPERATOR_ADDRESS',
    'OPERATOR_JURISDICTION',
    'PRIVACY_EMAIL',
    'LEAD_RETENTION_DAYS',
    'UNSOLD_LEAD_RETENTION_DAYS',
  ])
  const all = {
    OPERATOR_NAME: 'a',
    OPERATOR_ADDRESS: 'b',
    OPERATOR_JURISDICTION: 'c',
    PRIVACY_EMAIL: 'd@example.com',
  }
  expect(
    listOperatorGaps(load({ ...all, LEAD_RETENTION_DAYS: '400', UNSOLD_LEAD_RETENTION_DAYS: '90' })),
  ).toEqual([])
  expect(() => load({ LEAD_RETENTION_DAYS: '30' })).toThrow('LEAD_RETENTION_DAYS: must be 0 (for ever)')
})
