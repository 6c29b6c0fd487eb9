import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create extension if not exists citext`.execute(db)
  await sql`create extension if not exists pg_trgm`.execute(db)
  // RFC 9562 version 7: 48 bits of Unix milliseconds, so that ids sort by time and new rows share index
  // pages. PostgreSQL 18 has uuidv7(); this function supports 15 to 17.
  await sql`
    create function uuid_v7() returns uuid language sql volatile parallel safe as $$
      select encode(
        set_bit(set_bit(
          overlay(uuid_send(gen_random_uuid())
            placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6),
          52, 1), 53, 1), 'hex')::uuid
    $$`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`drop function uuid_v7()`.execute(db)
}
