
static uint8_t data[Handshake_MAX_BYTES];

/* What a server makes of a message: 1 for a challenge, 30 and the reason for a refusal, 8 if the client joins, 9 if there is
 * no answer. */
static int serve(const Handshake *m, uint64_t address, bool full, Handshake *answer)
{
    Handshake arrived;
    bool answers;
    size_t size = Handshake_pack(m, data, sizeof data);
    if (!Handshake_unpack(&arrived, data, size))
        return -1;
    if (judge(&arrived, 99, address, 1234, full, answer, &answers))
        return 8;
    if (answers && Handshake_pack(answer, data, sizeof data) > size)
        return -2; /* it amplifies */
    if (!answers)
        return 9;
    return answer->tag == Handshake_tag_refused ? 30 + answer->as.refused.reason : (int)answer->tag;
}

int main(void)
{
    Handshake hello, response, answer;
    Handshake_init(&hello);
    hello.as.hello.client_salt = 7;
    hello.as.hello.game_id = 1233;
    printf("%d, ", serve(&hello, 1, false, &answer));
    hello.as.hello.game_id = 1234;
    printf("%d, ", serve(&hello, 1, true, &answer));
    printf("%d, ", serve(&hello, 1, false, &answer));

    Handshake_init(&response);
    response.tag = Handshake_tag_response;
    Response_init(&response.as.response);
    response.as.response.client_salt = 7;
    response.as.response.server_salt = answer.as.challenge.server_salt;
    printf("%d ", serve(&response, 1, true, &answer));
    printf("%d ", serve(&response, 2, false, &answer));
    printf("%d\n", serve(&response, 1, false, &answer));
    return 0;
}
