<?php

declare(strict_types=1);

const TOLERANCE_SECONDS = 300;

/**
 * Whether a request comes from Folio: one of its signatures is right, and it is not older than five minutes, nor from
 * the future.
 *
 * @param string      $body   the bytes as they came: file_get_contents('php://input')
 * @param string|null $header $_SERVER['HTTP_SERVICE_SIGNATURE'] ?? null
 */
function isAuthentic(string $body, ?string $header, string $secret, ?int $now = null): bool
{
    $parts = array_map('trim', explode(',', $header ?? ''));
    $stamps = preg_grep('/\At=[0-9]{1,12}\z/', $parts);
    if ($stamps === []) {
        return false;
    }
    $time = substr(reset($stamps), 2);
    if (abs(($now ?? time()) - (int) $time) > TOLERANCE_SECONDS) {
        return false;
    }
    $expected = hash_hmac('sha256', $time . '.' . $body, $secret);
    $matches = false;
    foreach (preg_grep('/\Av1=[0-9a-f]{64}\z/', $parts) as $part) {
        if (hash_equals($expected, substr($part, 3))) {
            $matches = true;
        }
    }
    return $matches;
}

/**
 * Takes one delivery: the status to answer, and whether the event is new.
 *
 * @param callable(array): bool $put keeps an event by its id and says whether it was not there yet. Best a table:
 *                                   insert ... on conflict (id) do nothing
 * @return array{int, bool}
 */
function receive(string $body, ?string $header, string $secret, callable $put, ?int $now = null): array
{
    if (!isAuthentic($body, $header, $secret, $now)) {
        return [400, false];
    }
    return [204, $put(json_decode($body, true, 512, JSON_THROW_ON_ERROR))];
}
