import { RedisScript } from '../../redis/redis.ts'

// A session is the hash KEYS[1]; ARGV[1] is the key prefix of the identity indexes. The index of an
// identity is a sorted set of digests, scored by expiry, that expires with its last session.

const index = `
local function index(key, digest, used, expires)
  local ttl = expires - used
  redis.call('ZREMRANGEBYSCORE', key, '-inf', used)
  redis.call('ZADD', key, expires, digest)
  if redis.call('TTL', key) < ttl then redis.call('EXPIRE', key, ttl) end
end
`

/**
 * Writes a session to KEYS[2]. Revision 0 means a new session, which must not exist yet; any other
 * revision must match the stored one. Otherwise does nothing and returns 0.
 */
export const createOrSave: RedisScript = new RedisScript(`${index}
local identities, digest, newDigest, revision = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local identity, used, expires = ARGV[6], ARGV[8], ARGV[9]
if revision == '0' then
  if redis.call('EXISTS', KEYS[2]) == 1 then return 0 end
else
  local found = redis.call('HMGET', KEYS[1], 'revision', 'identity')
  if found[1] ~= revision then return 0 end
  if found[2] ~= '' then redis.call('ZREM', identities .. found[2], digest) end
  redis.call('DEL', KEYS[1])
end
redis.call('HSET', KEYS[2], 'revision', revision + 1, 'data', ARGV[5], 'identity', identity,
  'created', ARGV[7], 'used', used, 'agent', ARGV[10], 'peer', ARGV[11], 'device', ARGV[12])
redis.call('EXPIRE', KEYS[2], expires - used)
if identity ~= '' then index(identities .. identity, newDigest, used, expires) end
return 1
`)

/** Records a use of a session, if it exists and was not used later. */
export const touch: RedisScript = new RedisScript(`${index}
local identities, digest, used, expires = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local found = redis.call('HMGET', KEYS[1], 'used', 'identity')
if not found[1] or tonumber(found[1]) >= tonumber(used) then return 0 end
redis.call('HSET', KEYS[1], 'used', used, 'agent', ARGV[5], 'peer', ARGV[6])
redis.call('EXPIRE', KEYS[1], expires - used)
if found[2] ~= '' then index(identities .. found[2], digest, used, expires) end
return 1
`)

/** Ends a session; returns 1 if it existed. */
export const destroy: RedisScript = new RedisScript(`
local identity = redis.call('HGET', KEYS[1], 'identity')
if not identity then return 0 end
redis.call('DEL', KEYS[1])
if identity ~= '' then redis.call('ZREM', ARGV[1] .. identity, ARGV[2]) end
return 1
`)

/** Ends the sessions in the sorted set KEYS[1] except ARGV[2]; returns how many. */
export const destroyOf: RedisScript = new RedisScript(`
local ended = 0
for _, digest in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  if digest ~= ARGV[2] then
    ended = ended + redis.call('DEL', ARGV[1] .. digest)
    redis.call('ZREM', KEYS[1], digest)
  end
end
return ended
`)

/** Ends the sessions in the sorted set KEYS[1] that belong to the device ARGV[2]; returns how many. */
export const destroyDevice: RedisScript = new RedisScript(`
local ended = 0
for _, digest in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  if redis.call('HGET', ARGV[1] .. digest, 'device') == ARGV[2] then
    ended = ended + redis.call('DEL', ARGV[1] .. digest)
    redis.call('ZREM', KEYS[1], digest)
  end
end
return ended
`)
