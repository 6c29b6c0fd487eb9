import { sql, type Kysely } from 'kysely'

/** Leads may be millions, so each index is built while they continue. */
export const isOutsideTransaction = true

const SPAN = `array[date_bin(interval '10 days', created_at, timestamptz '2020-01-01 00:00+00')]`
const FOLDED = `search_text(name, email::text, phone)`
const AS_WRITTEN = `(coalesce(name, '') || ' ' || coalesce(email::text, '') || ' ' || coalesce(phone, ''))`

const INDEXES: Readonly<Record<string, string>> = {
  leads_search_folded: `leads using gin ((${SPAN}), ${FOLDED} gin_trgm_ops)`,
  // A search for two letters looks up trigrams with every usual third letter; leads with unusual letters are
  // checked separately.
  leads_unusual_folded: `leads (assigned_to) where ${FOLDED} ~ '[^ -~]'`,
}
/** The indexes that the new ones replace. */
const REPLACED: Readonly<Record<string, string>> = {
  leads_search: `leads using gin ((${SPAN}), ${AS_WRITTEN} gin_trgm_ops)`,
  leads_unusual: `leads (assigned_to) where ${AS_WRITTEN} ~ '[^ -~À-ÿ]'`,
}

/**
 * Texts are searched normalised and without accents. We use our own function, because the extension unaccent
 * needs rights that some hosts do not give, and is not immutable. For ASCII, which nearly all leads are, it
 * only compares lengths. core/contract/fold-text.ts does the same.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Each argument is named where it is used, so that PostgreSQL inlines the body.
  await sql`
    create or replace function search_text(one text, two text, three text) returns text
    language sql immutable parallel safe as $$
      select case
        when octet_length(one) > length(one) or octet_length(two) > length(two) or octet_length(three) > length(three) then
          translate(replace(replace(replace(replace(replace(replace(replace(replace(
            regexp_replace(
              normalize(replace(coalesce(one, '') || ' ' || coalesce(two, '') || ' ' || coalesce(three, ''), '´', ''''), nfkd),
              '[\\u0300-\\u036f\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufe00-\\ufe0f\\ufeff]', '', 'g'),
            'Æ', 'AE'), 'æ', 'ae'), 'Œ', 'OE'), 'œ', 'oe'), 'ẞ', 'SS'), 'ß', 'ss'), 'Þ', 'TH'), 'þ', 'th'),
            'ØøŁłĐđÐðĦħŊŋŦŧıς‘’ʻʼ‛′\u2010\u2012\u2013\u2014\u2015\u2212', 'OoLlDdDdHhNnTtiσ''''''''''''------')
        else coalesce(one, '') || ' ' || coalesce(two, '') || ' ' || coalesce(three, '')
      end
    $$`.execute(db)
  await build(db, INDEXES)
  await drop(db, REPLACED)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await build(db, REPLACED)
  await drop(db, INDEXES)
  await sql`drop function search_text(text, text, text)`.execute(db)
}

async function build(db: Kysely<unknown>, indexes: Readonly<Record<string, string>>): Promise<void> {
  // An index that an earlier try left behind is not valid.
  await drop(db, indexes)
  for (const [name, on] of Object.entries(indexes))
    await sql`create index concurrently ${sql.id(name)} on ${sql.raw(on)}`.execute(db)
}

async function drop(db: Kysely<unknown>, indexes: Readonly<Record<string, string>>): Promise<void> {
  for (const name of Object.keys(indexes))
    await sql`drop index concurrently if exists ${sql.id(name)}`.execute(db)
}
