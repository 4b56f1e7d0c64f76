/* SPDX-License-Identifier: MIT */
/* A client beside the server: waits for the file with its port. */
#include "server.h"

int main(int count, char **arguments)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int port = 0;
    for (int i = 0; count == 2 && i < 2000 && port == 0; i++) {
        FILE *file = fopen(arguments[1], "r");
        if (file && fscanf(file, "%d", &port) != 1)
            port = 0;
        if (file)
            fclose(file);
        if (port == 0)
            usleep(2000);
    }
    address.sin_port = htons((unsigned short)port);
    ask(&address);
}
